//! EndpointSlices and Endpoints: which pods, or which Service, made them change.

use clew_model::Evidence;

use crate::memory::Memory;
use crate::object::ObjectId;
use crate::step::{Cause, Effect, Step, StepId};

use super::{Explained, Found};

impl Memory {
    /// The pods that came, went or changed their readiness: the last one is the cause.
    pub(super) fn by_endpoints(&self, step: &Step) -> Found {
        let causes = self.endpoint_causes(step);
        let cause = self.last_before(&causes, step)?;
        Some((self.overtaken_by(cause, step).unwrap_or(cause), Evidence::Reference))
    }

    /// What a pod's owner was changed to since, if it had converged before: then the pod is a remnant, the newer change
    /// is what the endpoints follow, and the pod's own is linked.
    fn overtaken_by(&self, pod: StepId, step: &Step) -> Option<StepId> {
        let cause = self.step(pod);
        let top = self.lineage(cause.object).last()?;
        let former = self.last_before(&self.object(top).changes, cause)?;
        let latest = self.latest_on(top, step)?;
        let newer = cause.before(self.step(latest)) && latest != pod;
        (newer && !self.is_outstanding(former, step)).then_some(latest)
    }

    /// An explanation by one pod, with links to the others that played a part.
    pub(super) fn with_endpoint_links(&self, found: (StepId, Evidence), step: &Step) -> Explained {
        let mut links = self.endpoint_causes(step);
        links.retain(|id| *id != found.0);
        Explained { cause: Cause::Step(found.0, found.1), links }
    }

    /// The Service of the same name, for the Endpoints object that stands beside it.
    pub(super) fn by_service(&self, step: &Step) -> Found {
        let object = self.object(step.object);
        if self.symbols.text(object.resource) != "endpoints" {
            return None;
        }
        let services = self.symbols.find("services")?;
        let service = self.by_name(services, object.namespace, &object.name).iter();
        let changes = service.flat_map(|service| self.object(*service).changes.iter().copied());
        let changes: Vec<StepId> = changes.collect();
        let cause = self.last_before(&changes, step)?;
        Some((cause, Evidence::Reference))
    }

    fn endpoint_causes(&self, step: &Step) -> Vec<StepId> {
        let Some(now) = step.extra().map(|extra| &extra.endpoints) else { return Vec::new() };
        let steps = self.object(step.object).steps.iter().map(|id| self.step(*id));
        let former = steps.filter(|other| other.version > 0 && other.version < step.version);
        let former = former.filter(|other| other.extra.is_some()).max_by_key(|other| other.version);
        let before = former.and_then(Step::extra).map_or(&[][..], |extra| &extra.endpoints);
        let changed = now.iter().filter(|pod| !before.contains(pod));
        let changed = changed.chain(before.iter().filter(|pod| !now.contains(pod)));
        let mut causes: Vec<StepId> = changed.filter_map(|(pod, _)| self.pod_cause(*pod, step)).collect();
        causes.sort_unstable();
        causes.dedup();
        causes
    }

    /// The pod's deletion if that came before, else its creation.
    fn pod_cause(&self, mention: u64, step: &Step) -> Option<StepId> {
        let pod = self.pods_by_uid.get(&mention).copied()?;
        self.life_change(pod, step)
    }

    /// The change of a pod that a step concerns: its deletion once that was asked for, its creation before.
    pub(super) fn life_change(&self, pod: ObjectId, step: &Step) -> Option<StepId> {
        let deletion = self.deletion_of(pod).filter(|deletion| self.step(*deletion).before(step));
        deletion.or_else(|| self.creation_of(pod)).or_else(|| {
            let changes = &self.object(pod).changes;
            changes.iter().copied().find(|id| self.step(*id).effect != Effect::Attached)
        })
    }
}
