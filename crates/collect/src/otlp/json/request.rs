//! Requests, resources and scopes.

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{EntityRef, InstrumentationScope};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::view::{Fields, View};

impl Serialize for View<'_, ExportTraceServiceRequest> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.list("resourceSpans", &self.0.resource_spans)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, ResourceSpans> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.message("resource", self.0.resource.as_ref())?;
        fields.list("scopeSpans", &self.0.scope_spans)?;
        fields.text("schemaUrl", &self.0.schema_url)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, Resource> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.list("attributes", &self.0.attributes)?;
        fields.number("droppedAttributesCount", self.0.dropped_attributes_count)?;
        fields.list("entityRefs", &self.0.entity_refs)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, EntityRef> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.text("schemaUrl", &self.0.schema_url)?;
        fields.text("type", &self.0.r#type)?;
        fields.0.serialize_entry("idKeys", &self.0.id_keys)?;
        fields.0.serialize_entry("descriptionKeys", &self.0.description_keys)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, ScopeSpans> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.message("scope", self.0.scope.as_ref())?;
        fields.list("spans", &self.0.spans)?;
        fields.text("schemaUrl", &self.0.schema_url)?;
        fields.0.end()
    }
}

impl Serialize for View<'_, InstrumentationScope> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        fields.text("name", &self.0.name)?;
        fields.text("version", &self.0.version)?;
        fields.list("attributes", &self.0.attributes)?;
        fields.number("droppedAttributesCount", self.0.dropped_attributes_count)?;
        fields.0.end()
    }
}
