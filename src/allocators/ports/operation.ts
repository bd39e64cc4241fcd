import { type Given, type Refusal, refusals } from '../refusals.ts';
import type { PortAllocator } from './allocator.ts';

export interface OperationOptions {
  /** Nothing is taken or freed; ports that are taken at random are placeholders from 32769 on. */
  readonly dryRun?: boolean;
}

/**
 * Ports that belong together: taken at once, freed at the end. A port may leak where the end never comes, but none is given
 * twice.
 */
export interface PortOperation {
  allocate(port: number): Refusal | undefined;
  allocateNext(): Given<number>;
  /** Frees the port when the operation is committed. */
  releaseDeferred(port: number): void;
  /** The ports taken so far, and those to be freed. */
  allocated(): readonly number[];
  released(): readonly number[];
  commit(): void;
  /** Gives back what was taken; nothing after a commit, or a second time. */
  rollback(): void;
}

/** Mirrors PortAllocationOperation (pkg/registry/core/service/portallocator/operation.go; the same in 1.17 and 1.36). */
export function startPortOperation(ports: PortAllocator, { dryRun = false }: OperationOptions = {}): PortOperation {
  const taken: number[] = [];
  const deferred: number[] = [];
  let open = true;
  const finish = (release: readonly number[]): void => {
    if (open && !dryRun) for (const port of release) ports.release(port);
    open = false;
  };
  const note = <T extends number | undefined>(port: T): T => {
    if (port !== undefined) taken.push(port);
    return port;
  };
  const allocate = (port: number): Refusal | undefined => {
    const refusal = dryRun ? probe(ports, taken, port) : ports.allocate(port);
    if (!refusal) note(port);
    return refusal;
  };
  const allocateNext = (): Given<number> => {
    const given: Given<number> = dryRun ? { value: placeholder(ports, taken) } : ports.allocateNext();
    note(given.value);
    return given;
  };
  return {
    allocate,
    allocateNext,
    releaseDeferred: (port) => {
      deferred.push(port);
    },
    allocated: () => [...taken],
    released: () => [...deferred],
    commit: () => finish(deferred),
    rollback: () => finish(taken),
  };
}

/** A dry run does not look at the range. */
const probe = (ports: PortAllocator, taken: readonly number[], port: number): Refusal | undefined =>
  ports.has(port) || taken.includes(port) ? refusals.portAllocated : undefined;

/** The one after the highest taken. Below 100 the original looks for one that is free. */
function placeholder(ports: PortAllocator, taken: readonly number[]): number {
  const next = (taken.length === 0 ? 32768 : Math.max(...taken)) + 1;
  for (let port = next; port < 100; port++) if (!probe(ports, taken, port)) return port;
  return next;
}
