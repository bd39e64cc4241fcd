import type { ApiObject } from 'kube-endpoints/port';
import { toCoreEvent, toGroupEvent } from '../resources/index.ts';
import type { ResourceStrategy } from './strategy.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Events of events.k8s.io, which are those of the core group by other names, and stored as such. */
export function groupEventStrategy(strategy: ResourceStrategy, core: ResourceStrategy): ResourceStrategy {
  const printed = (by: ResourceStrategy, object: Fields): ApiObject => by.encode(by.decode(object).object);
  return {
    ...strategy,
    storedAs: {
      resource: core.resource,
      toStored: (object) => printed(core, toCoreEvent(object)),
      fromStored: (object) => printed(strategy, toGroupEvent(object)),
    },
  };
}
