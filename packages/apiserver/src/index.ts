/** An embedded Kubernetes API server: in process through `client`, and over HTTPS for other clients. */

export { type AdmissionFunction, createFunctionAdmission } from './admission/index.ts';
export { type ApiServer, createApiServer } from './api-server.ts';
export type { ExtraResource } from './extra-resources.ts';
export { createFaults, type FaultRule, type Faults, type FaultsOptions } from './faults/index.ts';
export { LoadError, type LoadOptions } from './load.ts';
export type { ApiServerOptions } from './options.ts';
export { type Admission, type AdmissionRequest, type Randomness, randomnessFrom } from './registry/index.ts';
export { type CertificateOptions, createServingCertificate, type ServingCertificate } from './server/certificates.ts';
export type { Listening, ListenOptions } from './server/index.ts';
export type { Clock, StoreStats } from './store/index.ts';
