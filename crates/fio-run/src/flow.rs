//! Jobs that keep in step: who shares a flow with whom.

use engine::FlowMember;

use super::instance_run::InstanceRun;

/// Gives every instance with a weight its seat among those of the same `flow_id`.
pub(super) fn assign_flows(members: &mut [InstanceRun<'_>]) {
    let flow_of = |member: &InstanceRun<'_>| {
        let flow = &member.section.options.rate;
        (flow.flow > 0).then_some(flow.flow_id)
    };
    let mut flows: Vec<u32> = members.iter().filter_map(flow_of).collect();
    flows.sort_unstable();
    flows.dedup();
    for flow in flows {
        let all: Vec<&mut InstanceRun<'_>> =
            members.iter_mut().filter(|member| flow_of(member) == Some(flow)).collect();
        let weight = |member: &&mut InstanceRun<'_>| {
            let options = &member.section.options.rate;
            (options.flow, options.flow_sleep_us.saturating_mul(1000))
        };
        let seats = FlowMember::new_members(&all.iter().map(weight).collect::<Vec<_>>());
        for (member, seat) in all.into_iter().zip(seats) {
            member.flow = Some(seat);
        }
    }
}
