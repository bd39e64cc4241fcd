/** An embedded Kubernetes API server: in process through the port, and over HTTP for every other client. */

export { type Resource, resources } from 'kube-endpoints/port';
export {
  type AdmissionFunction,
  createFunctionAdmission,
  type MutationAnswer,
  type Refusal,
  type ResolveService,
  type Rule,
  type ValidationAnswer,
} from './admission/index.ts';
export { type ApiServer, createApiServer } from './api-server.ts';
export type { FurtherResource } from './extra-resources.ts';
export {
  type CallScope,
  createFaults,
  type FaultRule,
  type Faults,
  type FaultsOptions,
  type InjectedFault,
  type WatchScope,
  type When,
} from './faults/index.ts';
export type { LoadOptions } from './load.ts';
export { LoadError } from './load.ts';
export type { ApiServerOptions } from './options.ts';
export { type Admission, type AdmissionRequest, type Randomness, randomnessFrom } from './registry/index.ts';
export { type CertificateOptions, createServingCertificate, type ServingCertificate } from './server/certificates.ts';
export type { Limits, Listening, ListenOptions, TlsFiles, Token } from './server/index.ts';
export { type Clock, type ScheduledCall, type StoreStats, systemClock } from './store/index.ts';
