import type { Resource } from 'kube-endpoints/port';
import type { ResourceStrategy } from './strategy.ts';

/** Resources are told apart by group, version and plural. */
export const idOf = ({ group, version, plural }: Resource): string => `${plural}.${group}/${version}`;

/** By `idOf` their resources. */
export type Strategies = ReadonlyMap<string, ResourceStrategy>;
