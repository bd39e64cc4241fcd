import { createHintsMemory } from '../../incremental/slices/hints-memory.ts';
import { createNodeIndex } from '../../incremental/slices/node-index.ts';
import { trackTriggerTime } from '../../incremental/trigger-time.ts';
import type { EndpointSlice, Node, Pod, Service } from '../../types/index.ts';
import { selectPods, unmanagedBecause } from '../select.ts';
import type { VersionOptions } from '../settings.ts';
import { formatInstant } from '../time.ts';
import { desiredStates } from './desired.ts';
import { createSliceReader } from './reading.ts';
import { sliceSettingsFor } from './settings.ts';
import { syncSlices } from './sync.ts';

export interface SliceOptions extends VersionOptions {
  /** How many endpoints a slice may hold: 1 to 1,000, by default 100. */
  readonly maxEndpointsPerSlice?: number;
}

export interface ComputeSlicesOptions extends SliceOptions {
  /** Every node there is. Undefined where nodes are not known: no pod is then left out for its node, and zones are unknown. */
  readonly nodes?: readonly Node[] | undefined;
}

/**
 * The EndpointSlices that the release's controller creates for a Service where there are none, IPv4 first, endpoints in the
 * order of their addresses. They have a generateName; the API server names them.
 * @param pods may be every pod there is: namespace and selector are applied here; their order makes no difference
 * @returns none where the controller writes nothing: no selector, or ExternalName in the releases that skip it
 * @throws RangeError for a version before 1.21 or an unknown one, or a maximum that is none
 * @throws TypeError for a timestamp that is none
 *
 * Mirrors syncService (1.36, pkg/controller/endpointslice/endpointslice_controller.go) on its way to creations.
 */
export function computeEndpointSlices(service: Service, pods: readonly Pod[], options: ComputeSlicesOptions = {}): EndpointSlice[] {
  const settings = sliceSettingsFor(options);
  const { profile, timeZone } = settings;
  if (unmanagedBecause(service, profile)) return [];
  const nodes = createNodeIndex();
  nodes.update(options.nodes);
  const selected = selectPods(service, pods);
  const { time } = trackTriggerTime(undefined, service, selected);
  const input = {
    key: '',
    service,
    there: [],
    zoneShares: nodes.zoneShares,
    read: createSliceReader(service, profile),
    desired: desiredStates(service, selected, nodes.byName, settings),
    triggerTime: time && formatInstant(time, timeZone),
  };
  return syncSlices(input, createHintsMemory(), settings).create;
}
