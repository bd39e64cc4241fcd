import type { Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { MissingNode } from './desired.ts';
import type { SliceEvent } from './plan.ts';

/** The controller's errors about nodes that are not there: one a pod or, where the first one ends the sync, just that. */
export function missingNodeMessages(service: Service, missing: readonly MissingNode[], profile: Profile): string[] {
  const { namespace, name } = service.metadata ?? {};
  if (profile.missingNodeSkipped) {
    return missing.map(({ pod, node }) => `skipping Pod ${pod} for Service ${namespace ?? ''}/${name ?? ''}: Node ${node} Not Found`);
  }
  return missing.slice(0, 1).map(({ node }) => `node "${node}" not found`);
}

/** The Event about a sync that failed in part. Mirrors syncService over utilerrors.NewAggregate (apimachinery). */
export function failureEvent(service: Service, messages: ReadonlySet<string>): SliceEvent {
  const { namespace, name } = service.metadata ?? {};
  const text = messages.size === 1 ? [...messages][0] : `[${[...messages].join(', ')}]`;
  return {
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service ${namespace ?? ''}/${name ?? ''}: ${text}`,
  };
}
