export { jsonSyntaxProblem } from '../api-types/codec/json-syntax.ts';
export { findConversionProblem } from '../api-types/codec/restore.ts';
export type { Cell, Column, Description, ListObjects, Strategy, UpdateStrategy } from './description.ts';
export { toCoreEvent, toGroupEvent } from './events/events.ts';
export type { CauseReason, FieldCause } from './field/causes.ts';
export { toAutoscalingV1, toAutoscalingV2 } from './kinds/autoscaling/index.ts';
export { dropDuplicateOwners, rewordAfterAdmission } from './metadata/owners.ts';
export { type BindResult, bindPod, validateBinding } from './pods/binding.ts';
export { aggregateMessage, createUnknownFieldsError, createUnreadableBodyError, formatUnknownField, invalidObject } from './status.ts';
export {
  type AdmissionResult,
  admitObject,
  type CheckResult,
  checkCreate,
  checkUpdate,
  createObjectCodec,
  type ObjectCodec,
  type Ownership,
  type ParsedBody,
  printObject,
  readObject,
  withDefaults,
} from './write.ts';

import type { Description } from './description.ts';
import { endpoints } from './endpoints/endpoints.ts';
import { endpointSlices } from './endpoints/slices.ts';
import { events, groupEvents } from './events/events.ts';
import { createKindDescriptions } from './kinds/index.ts';
import { nodes } from './nodes/nodes.ts';
import { pods } from './pods/pods.ts';
import { services } from './services/services.ts';
import { configMaps } from './simple/config-maps.ts';
import { leases } from './simple/leases.ts';
import { namespaces } from './simple/namespaces.ts';
import { secrets } from './simple/secrets.ts';
import { serviceAccounts } from './simple/service-accounts.ts';
import { mutatingWebhookConfigurations, validatingWebhookConfigurations } from './webhooks/webhooks.ts';

/** The resources with a strategy of their own. `groupEvents` are the objects of `events` in events.k8s.io/v1. */
export const descriptions: Readonly<Record<ResourceKey, Description>> = {
  namespaces,
  nodes,
  services,
  pods,
  endpoints,
  endpointSlices,
  events,
  groupEvents,
  configMaps,
  secrets,
  serviceAccounts,
  leases,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
};

/** All built-in resources. */
export const builtInDescriptions = (): readonly Description[] => [...Object.values(descriptions), ...createKindDescriptions()];

export type ResourceKey =
  | 'namespaces'
  | 'nodes'
  | 'services'
  | 'pods'
  | 'endpoints'
  | 'endpointSlices'
  | 'events'
  | 'groupEvents'
  | 'configMaps'
  | 'secrets'
  | 'serviceAccounts'
  | 'leases'
  | 'mutatingWebhookConfigurations'
  | 'validatingWebhookConfigurations';
