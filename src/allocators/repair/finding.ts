import type { AllocatableService } from '../service/types.ts';

/** What a repair finds wrong with a Service: the reasons of the events that the API server writes. */
export type FindingCode =
  | 'ClusterIPNotValid'
  | 'ClusterIPNotAllocated'
  | 'ClusterIPAlreadyAllocated'
  | 'ClusterIPOutOfRange'
  | 'PortNotAllocated'
  | 'PortAlreadyAllocated'
  | 'PortOutOfRange';

/** Only what is not allocated is mended; the other Services are to be created anew. */
export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
  readonly namespace: string;
  readonly name: string;
  /** The address or the port, as the Service has it. */
  readonly value: string;
}

export const findingOn = (service: AllocatableService, code: FindingCode, message: string, value: string | number): Finding => ({
  code,
  message,
  namespace: service.metadata?.namespace ?? '',
  name: service.metadata?.name ?? '',
  value: String(value),
});
