//! Setting tracing up.

use crate::attribute::{Attribute, Text};
use crate::config::{EgressSelectorConfiguration, TracingConfiguration};
use crate::error::Error;
use crate::export::{Exporter, OtlpSettings, Registry};
use crate::gates::FeatureGates;
use crate::net::Dialer;
use crate::pipeline::{Batching, Job, Queue, Retrying, Spool, SpoolSettings};
use crate::propagate::Propagators;
use crate::runtime::Core;
use crate::sampler::Sampler;
use crate::settings::{self, Environment};
use crate::state::State;
use crate::trace::Limits;
use crate::tracing::Tracing;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Sets a component's tracing up; see [`Tracing::builder`].
pub struct Builder {
    service: Text,
    resource: Vec<Attribute>,
    gate: bool,
    configuration: Option<TracingConfiguration>,
    environment: Environment,
    /// Whether the environment alone decides, without a `TracingConfiguration`.
    standalone: bool,
    exporter: Option<Arc<dyn Exporter>>,
    registry: Registry,
    egress: Option<EgressSelectorConfiguration>,
    batching: Option<Batching>,
    limits: Option<Limits>,
    propagators: Option<Propagators>,
    retrying: Retrying,
    spool: Option<SpoolSettings>,
}

impl Tracing {
    /// Sets tracing up for a component that a `TracingConfiguration` configures: an API server, a kubelet.
    pub fn builder(service: impl Into<Text>) -> Builder {
        Builder {
            service: service.into(),
            resource: Vec::new(),
            gate: true,
            configuration: None,
            environment: Environment::process(),
            standalone: false,
            exporter: None,
            registry: Registry::default(),
            egress: None,
            batching: None,
            limits: None,
            propagators: None,
            retrying: Retrying::default(),
            spool: None,
        }
    }

    /// Sets tracing up for a component that the environment configures: a command line tool.
    ///
    /// The exporter is the one that `<PREFIX>_TRACE_EXPORTER` or `OTEL_TRACES_EXPORTER` names; `otlp` otherwise.
    pub fn from_env(service: impl Into<Text>, environment: Environment) -> Builder {
        Builder { standalone: true, environment, ..Self::builder(service) }
    }
}

impl Builder {
    /// Sets whether the feature is on.
    pub fn gate(mut self, enabled: bool) -> Self {
        self.gate = enabled;
        self
    }

    /// Sets whether the feature is on by its name; it is on unless somebody switched it off, as in Kubernetes today.
    pub fn feature(self, gates: &FeatureGates, name: &str) -> Self {
        let enabled = gates.enabled(name, true);
        self.gate(enabled)
    }

    /// Sets the configuration; without one, contexts only pass through.
    pub fn configuration(mut self, configuration: impl Into<Option<TracingConfiguration>>) -> Self {
        self.configuration = configuration.into();
        self
    }

    /// Adds what is true of all spans, for example `service.instance.id`.
    pub fn resource(mut self, attributes: impl IntoIterator<Item = Attribute>) -> Self {
        self.resource.extend(attributes);
        self
    }

    /// Reads variables from here instead of from the process.
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = environment;
        self
    }

    /// Sends spans to this exporter, whatever is configured.
    pub fn exporter(mut self, exporter: Arc<dyn Exporter>) -> Self {
        self.exporter = Some(exporter);
        self
    }

    /// Chooses exporters from this registry.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = registry;
        self
    }

    /// Dials as the administrator's egress selector says: `controlplane` for an address, `cluster` for a Service.
    pub fn egress(mut self, egress: EgressSelectorConfiguration) -> Self {
        self.egress = Some(egress);
        self
    }

    /// Sets how spans are gathered, over the `OTEL_BSP_*` variables.
    pub fn batching(mut self, batching: Batching) -> Self {
        self.batching = Some(batching);
        self
    }

    /// Sets how much a span may hold, over the `OTEL_SPAN_*_LIMIT` variables.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the forms of context, over `OTEL_PROPAGATORS`.
    pub fn propagators(mut self, propagators: Propagators) -> Self {
        self.propagators = Some(propagators);
        self
    }

    /// Sets how a refused batch is tried again.
    pub fn retrying(mut self, retrying: Retrying) -> Self {
        self.retrying = retrying;
        self
    }

    /// Keeps what a collector would not take on disk, over a restart.
    pub fn spool(mut self, spool: SpoolSettings) -> Self {
        self.spool = Some(spool);
        self
    }

    /// Starts tracing.
    pub fn build(self) -> Result<Tracing, Error> {
        let batching = match self.batching {
            Some(batching) => batching,
            None => settings::batching(&self.environment)?,
        };
        let limits = self.limits.map_or_else(|| settings::limits(&self.environment), Ok)?;
        let queue = Queue::new(batching.queue, batching.batch, limits);
        let spool = match &self.spool {
            None => None,
            Some(settings) => {
                let spool = Spool::open(settings.clone())?;
                queue.recovered(spool.spans());
                Some(Arc::new(Mutex::new(spool)))
            }
        };
        let plan = Plan {
            batching,
            propagators: self.propagators.map_or_else(|| settings::propagators(&self.environment), Ok)?,
            sampler: settings::sampler(&self.environment)?,
            metrics_every: settings::metrics_interval(&self.environment)?,
            spool,
            builder: self,
        };
        Ok(Tracing::new(Core::start(plan, queue)?))
    }
}

/// All that a reload needs to know.
pub(crate) struct Plan {
    builder: Builder,
    batching: Batching,
    propagators: Propagators,
    sampler: Sampler,
    metrics_every: Option<Duration>,
    spool: Option<Arc<Mutex<Spool>>>,
}

impl Plan {
    pub(crate) fn initial(&self) -> (bool, Option<TracingConfiguration>) {
        (self.builder.gate, self.builder.configuration.clone())
    }

    pub(crate) fn propagators(&self) -> Propagators {
        self.propagators
    }

    /// The state that the gate, the configuration and the environment ask for.
    pub(crate) fn state(&self, gate: bool, configuration: Option<&TracingConfiguration>) -> State {
        if self.builder.environment.is_true("OTEL_SDK_DISABLED") {
            return State::Off;
        }
        if !self.builder.standalone {
            return State::decide(gate, configuration);
        }
        match (gate, self.exporter_name()) {
            (false, _) => State::Off,
            (true, "none") => State::PassThrough,
            (true, _) => State::On(self.sampler),
        }
    }

    /// The work of an export thread.
    pub(crate) fn job(&self, configuration: Option<&TracingConfiguration>, queue: &Arc<Queue>) -> Result<Job, Error> {
        let exporter = self.make_exporter(configuration)?;
        let mut own = self.builder.resource.clone();
        own.extend(exporter.resource());
        let resource = settings::resource(&self.builder.service, &own, &self.builder.environment);
        Ok(Job {
            queue: Arc::clone(queue),
            exporter,
            resource: Arc::new(resource),
            batching: self.batching,
            retrying: self.builder.retrying,
            spool: self.spool.clone(),
            metrics_every: self.metrics_every,
        })
    }

    fn make_exporter(&self, configuration: Option<&TracingConfiguration>) -> Result<Arc<dyn Exporter>, Error> {
        if let Some(exporter) = &self.builder.exporter {
            return Ok(Arc::clone(exporter));
        }
        let of_service = configuration.is_some_and(|configuration| configuration.service.is_some());
        let dialer = match &self.builder.egress {
            None => Dialer::default(),
            Some(egress) => Dialer::from_egress(egress, if of_service { "cluster" } else { "controlplane" })?,
        };
        match configuration {
            Some(configuration) if !self.builder.standalone => {
                OtlpSettings::from_configuration(configuration, &self.builder.environment)?.exporter(dialer)
            }
            _ => self.builder.registry.make(self.exporter_name(), &self.builder.environment, &dialer),
        }
    }

    fn exporter_name(&self) -> &str {
        let env = &self.builder.environment;
        env.own("EXPORTER").or_else(|| env.get("OTEL_TRACES_EXPORTER")).unwrap_or("otlp")
    }
}
