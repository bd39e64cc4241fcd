import { expect, it } from 'vitest';
import { hintsIntent, topologyHintsAnnotation, topologyModeAnnotation } from '../../../../src/spec/slices/hints/intent.ts';
import type { StringMap } from '../../../../src/types/index.ts';
import { profileFor } from '../../../../src/versions/index.ts';
import { makeService } from '../../objects.ts';

const hintsAnnotation = (value: string): StringMap => ({ [topologyHintsAnnotation]: value });
const modeAnnotation = (value: string): StringMap => ({ [topologyModeAnnotation]: value });

it.each<{ annotations?: StringMap | null; distribution?: string | null; version?: string; expected: (string | undefined)[] }>([
  { expected: [undefined] },
  { annotations: null, distribution: null, expected: [undefined] },
  // the annotation
  { annotations: hintsAnnotation('Auto'), version: '1.23', expected: [undefined, 'TopologyAnnotationIgnored'] },
  { annotations: hintsAnnotation('Auto'), version: '1.24', expected: ['Topology'] },
  { annotations: hintsAnnotation('auto'), expected: ['Topology'] },
  { annotations: hintsAnnotation('AUTO'), expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hintsAnnotation(''), expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hintsAnnotation('x'), version: '1.21', expected: [undefined, 'TopologyAnnotationUnknown'] },
  { annotations: hintsAnnotation('Disabled'), expected: [undefined] },
  { annotations: hintsAnnotation('disabled'), expected: [undefined] },
  { annotations: modeAnnotation('Auto'), version: '1.26', expected: [undefined] },
  { annotations: modeAnnotation('Auto'), version: '1.27', expected: ['Topology'] },
  { annotations: { ...hintsAnnotation('Disabled'), ...modeAnnotation('Auto') }, expected: [undefined] },
  { annotations: { ...hintsAnnotation('Auto'), ...modeAnnotation('x') }, expected: ['Topology'] },
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
  { annotations: hintsAnnotation('Auto'), distribution: 'PreferClose', expected: ['Topology', 'TrafficDistributionOverridden'] },
  { annotations: hintsAnnotation('Auto'), distribution: 'PreferClose', version: '1.30', expected: ['Topology'] },
  { annotations: hintsAnnotation('Disabled'), distribution: 'PreferClose', expected: ['SameZone'] },
  { annotations: hintsAnnotation('x'), distribution: 'PreferClose', expected: ['SameZone', 'TopologyAnnotationUnknown'] },
  {
    annotations: hintsAnnotation('Auto'),
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
