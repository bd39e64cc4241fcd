import { expect, it } from 'vitest';
import { hintsIntent, topologyHintsAnnotation, topologyModeAnnotation } from '../../../../src/spec/slices/hints/intent.ts';
import type { StringMap } from '../../../../src/types/index.ts';
import { profileFor } from '../../../../src/versions/index.ts';
import { makeService } from '../../objects.ts';

const hints = (value: string): StringMap => ({ [topologyHintsAnnotation]: value });
const mode = (value: string): StringMap => ({ [topologyModeAnnotation]: value });

it.each<{ annotations?: StringMap | null; distribution?: string | null; version?: string; expected: (string | undefined)[] }>([
  { expected: [undefined] },
  { annotations: null, distribution: null, expected: [undefined] },
  // the annotation
  { annotations: hints('Auto'), version: '1.23', expected: [undefined, 'TopologyAnnotationIgnored'] },
  { annotations: hints('Auto'), version: '1.24', expected: ['Topology'] },
  { annotations: hints('auto'), expected: ['Topology'] },
  { annotations: hints('AUTO'), expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hints(''), expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hints('x'), version: '1.21', expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hints('Disabled'), expected: [undefined] },
  { annotations: hints('disabled'), expected: [undefined] },
  { annotations: mode('Auto'), version: '1.26', expected: [undefined] },
  { annotations: mode('Auto'), version: '1.27', expected: ['Topology'] },
  { annotations: { ...hints('Disabled'), ...mode('Auto') }, expected: [undefined] },
  { annotations: { ...hints('Auto'), ...mode('x') }, expected: ['Topology'] },
  // the field
  { distribution: 'PreferClose', version: '1.30', expected: [undefined, 'TrafficDistributionIgnored'] },
  { distribution: 'PreferClose', version: '1.31', expected: ['SameZone'] },
  { distribution: 'PreferSameZone', version: '1.33', expected: [undefined, 'TrafficDistributionIgnored'] },
  { distribution: 'PreferSameZone', version: '1.34', expected: ['SameZone'] },
  { distribution: 'PreferSameNode', version: '1.33', expected: [undefined, 'TrafficDistributionIgnored'] },
  { distribution: 'PreferSameNode', version: '1.34', expected: ['SameNode'] },
  { distribution: 'x', expected: [undefined, 'TrafficDistributionUnknown'] },
  { distribution: '', expected: [undefined, 'TrafficDistributionUnknown'] },
  // both
  { annotations: hints('Auto'), distribution: 'PreferClose', expected: ['Topology', 'TrafficDistributionOverridden'] },
  { annotations: hints('Auto'), distribution: 'PreferClose', version: '1.30', expected: ['Topology'] },
  { annotations: hints('Disabled'), distribution: 'PreferClose', expected: ['SameZone'] },
  { annotations: hints('x'), distribution: 'PreferClose', expected: ['SameZone', 'TopologyAnnotationUnknown'] },
  {
    annotations: hints('Auto'),
    distribution: 'PreferClose',
    version: '1.23',
    expected: [undefined, 'TopologyAnnotationIgnored', 'TrafficDistributionIgnored'],
  },
])('hintsIntent for $annotations and $distribution in $version: $expected', ({ annotations, distribution, version, expected }) => {
  const service = makeService({ trafficDistribution: distribution }, { annotations });
  const { mode: requestedMode, ignored } = hintsIntent(service, profileFor(version));
  expect([requestedMode, ...ignored]).toEqual(expected);
});

it('hintsIntent requests nothing for a Service without fields', () => {
  expect(hintsIntent({}, profileFor())).toEqual({ mode: undefined, ignored: [] });
});
