import type { Pod } from 'kube-endpoints/types';

/** One call of shouldPodBeInEndpoints. */
export interface ShouldCase {
  readonly id: string;
  readonly pod: Pod;
  readonly includeTerminating: boolean;
}

const ip = '10.0.0.1';
const phases = [undefined, 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'];
const restartPolicies = [undefined, 'Always', 'OnFailure', 'Never'];
const addresses = [{}, { podIP: ip }, { podIPs: [] }, { podIPs: [{ ip }] }, { podIP: ip, podIPs: [{ ip }] }];
const deletions = [{}, { deletionTimestamp: '2026-01-31T12:00:00Z' }];
const readiness = [undefined, 'True', 'False', 'Unknown'].map((status) => status && [{ type: 'Ready', status }]);

/** Every combination of what a release of shouldPodBeInEndpoints may read, and of readiness, which none reads; always in the same order. */
export const shouldCases = (): ShouldCase[] =>
  phases
    .flatMap((phase) =>
      restartPolicies.flatMap((restartPolicy) =>
        addresses.flatMap((address) =>
          deletions.flatMap((metadata) =>
            readiness.flatMap((conditions) =>
              [false, true].map((includeTerminating) => {
                const pod = { metadata, spec: { restartPolicy }, status: { phase, ...address, conditions } };
                return { pod: JSON.parse(JSON.stringify(pod)) as Pod, includeTerminating };
              }),
            ),
          ),
        ),
      ),
    )
    .map((each, number) => ({ id: String(number), ...each }));

/** Packs answers in the order of `shouldCases` as hexadecimal digits, four answers each, the first in the highest bit. */
export const packAnswers = (answers: readonly boolean[]): string =>
  (answers.map(Number).join('').match(/.{4}/g) ?? []).map((bits) => Number.parseInt(bits, 2).toString(16)).join('');
