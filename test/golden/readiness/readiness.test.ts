import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { GeneratedCondition } from '../../../src/readiness/conditions.ts';
import { computeConditions } from '../../../src/readiness/index.ts';
import type { ContainerStatus, Pod } from '../../../src/types/index.ts';
import { readGzippedJsonLines } from '../../support/jsonl.ts';

interface ReadinessCase {
  readonly id: string;
  readonly pod: Pod;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly phase?: string;
}

interface ReadinessAnswer {
  readonly id: string;
  readonly conditions: readonly (GeneratedCondition & { readonly lastProbeTime: null; readonly lastTransitionTime: null })[];
}

const read = <T>(name: string): T[] => readGzippedJsonLines(join(import.meta.dirname, `${name}.jsonl.gz`));

const cases = read<ReadinessCase>('cases');

describe.each(['1.9.11', '1.12.4', '1.16.15', '1.17.4', '1.28.0', '1.36.3'])('computeConditions for release %s', (version) => {
  const answers = read<ReadinessAnswer>(version);

  it('has a result for each of the 3,000 cases', () => {
    expect(cases).toHaveLength(3000);
    expect(answers.map(({ id }) => id)).toStrictEqual(cases.map(({ id }) => id));
  });

  it('returns the same conditions as the kubelet of Kubernetes in all cases', () => {
    for (const [index, { id, pod, ...observed }] of cases.entries()) {
      const recorded = answers[index]?.conditions.map(({ lastProbeTime: _, lastTransitionTime: __, ...condition }) => condition);
      const computed = computeConditions(pod, { version, observed });
      if (!isDeepStrictEqual(computed, recorded)) expect(computed, id).toStrictEqual(recorded);
    }
  });
});
