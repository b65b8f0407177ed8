//! `flow`: jobs that keep in step.

use engine::FlowMember;

use super::instance_run::InstanceRun;

/// Groups the instances with a weight by `flow_id`.
pub(super) fn assign_flows(runs: &mut [InstanceRun<'_>]) {
    let flow_of = |run: &InstanceRun<'_>| {
        let flow = &run.section.options.rate;
        (flow.flow > 0).then_some(flow.flow_id)
    };
    let mut flows: Vec<u32> = runs.iter().filter_map(flow_of).collect();
    flows.sort_unstable();
    flows.dedup();
    for flow in flows {
        let all: Vec<&mut InstanceRun<'_>> =
            runs.iter_mut().filter(|run| flow_of(run) == Some(flow)).collect();
        let weight = |run: &&mut InstanceRun<'_>| {
            let options = &run.section.options.rate;
            (options.flow, options.flow_sleep_us.saturating_mul(1000))
        };
        let seats = FlowMember::new_members(&all.iter().map(weight).collect::<Vec<_>>());
        for (run, seat) in all.into_iter().zip(seats) {
            run.base_options.flow = Some(seat);
        }
    }
}
