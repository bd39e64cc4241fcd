import { describe } from 'vitest';
import type { ClientPort, Resource } from '../../../src/port/index.ts';
import { describeDeletes } from './deletes.ts';
import { describeLists } from './lists.ts';
import { describeWatches } from './watches.ts';
import { describeWrites } from './writes.ts';

/** A client port, and an empty namespace for the test. */
export interface PortUnderTest {
  readonly port: ClientPort;
  readonly namespace: string;
  /** Compacts the history of the server. Absent if the server has no such function. */
  compact?(): Promise<void> | void;
  /** Advances the time of the server. Absent if the server uses the system clock. */
  passTime?(milliseconds: number): Promise<void> | void;
  close?(): Promise<void> | void;
}

export type PortFactory = () => Promise<PortUnderTest> | PortUnderTest;

/** A resource that every server has, and that has no special rules. */
export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

/** Declares the tests that every implementation of the client port must pass. Each test gets a new port. */
export function describeClientPort(name: string, make: PortFactory): void {
  describe(`the client port ${name}`, () => {
    describeWrites(make);
    describeDeletes(make);
    describeLists(make);
    describeWatches(make);
  });
}
