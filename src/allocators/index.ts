export { type IPAllocation, type IPAllocator, staticAddresses } from './addresses/allocator.ts';
export { createIPBitmap, type IPBitmap, type IPRangeOptions, type RangeSnapshot } from './addresses/bitmap.ts';
export { type AddressStore, createIPObjects, type IPObjects, type IPObjectsOptions } from './addresses/objects.ts';
export { createServiceCIDRs, type ServiceCIDRsOptions } from './addresses/service-cidrs.ts';
export { type Bitmap, type BitmapOptions, createBitmap } from './bitmap/bitmap.ts';
export type { Draw } from './draw.ts';
export { type AllocatorGate, type AllocatorGateName, type AllocatorVersion, allocatorGates } from './gates.ts';
export { createPortAllocator, type PortAllocator, type PortAllocatorOptions } from './ports/allocator.ts';
export { type OperationOptions, type PortOperation, startPortOperation } from './ports/operation.ts';
export { defaultNodePorts, type PortRange, parsePortRange, staticPorts } from './ports/range.ts';
export type { Given, Refusal, RefusalCode } from './refusals.ts';
export { type RepairClusterIPsInput, type RepairedClusterIPs, repairClusterIPs } from './repair/cluster-ips.ts';
export type { Finding, FindingCode } from './repair/finding.ts';
export type { Leak, LeakCounts, Leaks } from './repair/leaks.ts';
export { type RepairedNodePorts, type RepairNodePortsInput, repairNodePorts } from './repair/node-ports.ts';
export { type BeginOptions, type Begun, type BegunWrite, beginCreate, beginDelete, beginUpdate, defaultOnRead } from './service/begin.ts';
export { type AllocationPlan, type PlanInput, planAllocation } from './service/plan.ts';
export type {
  AllocatablePort,
  AllocatableService,
  Allocation,
  ServiceAllocators,
  ServiceFailure,
  StatusCause,
} from './service/types.ts';
export { validateClusterIPsUpdate } from './service/update.ts';
