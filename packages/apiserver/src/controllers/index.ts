export { applyStatus } from './apply-status.ts';
export { createDefaultServiceCIDRController } from './default-service-cidr.ts';
export { publishServerAddress, type ServerAddress } from './kubernetes-endpoints.ts';
export { type Controller, type ControllerLoop, startControllers } from './loop.ts';
export { createRootCertificateController, createServiceAccountController } from './namespace-objects.ts';
export { createResourceQuotaController } from './resource-quotas.ts';
