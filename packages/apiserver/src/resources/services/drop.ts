import { child, type Draft, draftOf, type Fields, text } from '../field/read.ts';
import { isExternal } from './defaults.ts';

/**
 * Clears what belongs to the former type and was left as it was; for what is allocated, the allocators have done so by now. Mirrors
 * dropTypeDependentFields (pkg/registry/core/service/strategy.go, 1.36).
 */
export function dropTypeDependentFields(draft: Draft, old: Fields): void {
  const spec = draftOf(draft, 'spec');
  const before = child(old, 'spec');
  const balanced = text(spec, 'type') === 'LoadBalancer';
  if (text(before, 'type') === 'LoadBalancer' && !balanced) {
    for (const name of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) if (spec[name] === before[name]) delete spec[name];
  }
  if (isExternal(before) && !isExternal(spec) && spec['externalTrafficPolicy'] === before['externalTrafficPolicy']) {
    delete spec['externalTrafficPolicy'];
  }
  if (!balanced) delete draft['status'];
}
