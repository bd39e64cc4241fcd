/** The network side of the embedded API server: listening, TLS, authentication, limits, health and metrics. */
export { administrator, anonymousUser, type Token } from './authentication.ts';
export { type CertificateKeys, type CertificateOptions, createServingCertificate, type ServingCertificate } from './certificates.ts';
export { createStartupChecks, type HealthCheck } from './health.ts';
export { formatKubeconfig, type KubeconfigOptions, writePrivateFile } from './kubeconfig.ts';
export { type Listening, listen } from './listen.ts';
export type { StoredObjects } from './metrics/exposition.ts';
export { createOperationalRoutes, createVersionInfo, type OperationalOptions, type VersionInfo } from './operational.ts';
export { defaultLimits, type Limits, type ListenOptions, type TlsFiles } from './options.ts';
export { createServerState, type ServerState } from './state.ts';
