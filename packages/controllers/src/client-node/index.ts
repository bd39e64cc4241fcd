/** A client port to any cluster, configured with @kubernetes/client-node. */
export type { KubeConfigLike } from './kube-config.ts';
export { type LoadOptions, loadKubeConfig } from './load/load-kube-config.ts';
export type { ClientNodePortOptions } from './options.ts';
export { type ClientNodePort, createClientNodePort } from './port.ts';
