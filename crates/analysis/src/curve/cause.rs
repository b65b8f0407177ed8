//! What keeps a saturated device from more: itself, the client, or a configured cap.

use record::{BoundedBy, Curve, CurvePoint, Judgement, Limit, Measured};

use super::cap::{RateCap, find_cap, is_client_bound};
use super::limit::{LimitChoice, build_limit as limit_of};
use super::point::Load;

pub(crate) fn explain_limits(measured: &Measured, judgement: &Judgement) -> Vec<Curve> {
    let mut curves = judgement.curves.clone();
    for curve in &mut curves {
        let cap = find_cap(curve, measured, judgement);
        let deepest = curve.points.iter().rev().take(2).map(CurvePoint::newest_cell);
        let deepest_starved = deepest.into_iter().any(|cell| is_client_bound(cell, judgement));
        for place in 0..curve.limits.len() {
            let limit = &curve.limits[place];
            let saturated = limit.bounded_by == BoundedBy::Saturation;
            if let Some(capped) =
                cap.as_ref().and_then(|cap| limit_at_cap(curve, place, cap, measured))
            {
                curve.limits[place] = capped;
            } else if saturated && (deepest_starved || is_client_bound(&limit.cell, judgement)) {
                let limit = &mut curve.limits[place];
                limit.bounded_by = BoundedBy::Client;
                limit.because.push("the workers had no processor time left".to_owned());
            }
        }
    }
    curves
}

/// The shallowest load that reaches the cap; `None` where the bound is met before the cap is.
fn limit_at_cap(
    curve: &Curve,
    place: usize,
    cap: &RateCap<'_>,
    measured: &Measured,
) -> Option<Limit> {
    let limit = curve.limits.get(place)?;
    if limit.bounded_by == BoundedBy::Unreachable {
        return None;
    }
    let shallowest = cap.probes_at_cap.first()?.0;
    let point = curve.points.iter().position(|point| {
        (shallowest..=limit.depth.0).contains(&point.depth.0)
            && cap.probes_at_cap.iter().any(|(depth, _)| *depth == point.depth.0)
            && point.stands.get(place).is_none_or(|stand| stand.within != Some(false))
    })?;
    let jobs = if curve.independent { 2 } else { 1 };
    let cells = curve.points[point].cells.iter().filter_map(|name| measured.cell(name)).collect();
    let choice = LimitChoice {
        point: 0,
        bounded_by: BoundedBy::ProviderCap,
        confirmed: cap
            .probes_at_cap
            .iter()
            .filter(|(d, _)| *d == curve.points[point].depth.0)
            .count()
            > 1,
        because: cap.because.clone(),
    };
    let points = std::slice::from_ref(&curve.points[point]);
    Some(limit_of(limit.bound, choice, points, &[Load { cells, jobs }]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smooth_curve_has_no_cap() {
        let record = record::fixture::limit_record().measured;
        let judgement = crate::judge(&record);
        let limits = judgement.curves.iter().flat_map(|curve| &curve.limits);
        assert!(limits.clone().count() > 0);
        for limit in limits {
            assert_ne!(limit.bounded_by, BoundedBy::ProviderCap, "{limit:#?}");
        }
    }
}
