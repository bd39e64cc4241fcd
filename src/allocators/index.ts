export { type IPAllocation, type IPAllocator, staticAddresses } from './addresses/allocator.ts';
export { createIPBitmap, type IPBitmap, type IPRangeOptions, type RangeSnapshot } from './addresses/bitmap.ts';
export {
  type AddressStore,
  createIPObjects,
  createServiceCIDRs,
  type IPObjects,
  type IPObjectsOptions,
  type ServiceCIDRsOptions,
} from './addresses/objects.ts';
export type { Draw } from './bitmap.ts';
export { type Bitmap, type BitmapOptions, createBitmap } from './bitmap.ts';
export { type AllocatorGate, type AllocatorGateName, type AllocatorVersion, allocatorGates } from './gates.ts';
export {
  createPortAllocator,
  defaultNodePorts,
  type OperationOptions,
  type PortAllocator,
  type PortAllocatorOptions,
  type PortOperation,
  type PortRange,
  parsePortRange,
  startPortOperation,
  staticPorts,
} from './ports.ts';
export type { Given, Refusal, RefusalCode } from './refusals.ts';
export { type RepairClusterIPsInput, type RepairedClusterIPs, repairClusterIPs } from './repair/cluster-ips.ts';
export type { Finding, FindingCode, Leak, LeakCounts, Leaks } from './repair/finding.ts';
export { type RepairedNodePorts, type RepairNodePortsInput, repairNodePorts } from './repair/node-ports.ts';
export {
  type AllocationPlan,
  type BeginOptions,
  type Begun,
  type BegunWrite,
  beginCreate,
  beginDelete,
  beginUpdate,
  defaultOnRead,
  type PlanInput,
  planAllocation,
} from './service/begin.ts';
export { validateClusterIPsUpdate } from './service/cluster-ips.ts';
export type {
  AllocatablePort,
  AllocatableService,
  Allocation,
  ServiceAllocators,
  ServiceFailure,
  StatusCause,
} from './service/types.ts';
