import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type KubeletCase, type KubeletMode, kubeletModes } from '../../../../conformance/oracle/kubelet/case.ts';
import { isSameAnswer } from '../../../../conformance/oracle/kubelet/compare.ts';
import { replayKubelet } from '../../../../conformance/oracle/kubelet/replay.ts';

interface Recorded {
  readonly mode: KubeletMode;
  readonly testCase: KubeletCase;
  /** The answer of the kubelet of 1.36.3. */
  readonly answer: unknown;
}

const recorded = gunzipSync(readFileSync(new URL('recorded.jsonl.gz', import.meta.url)))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

describe.each(kubeletModes)('the kubelet, %s', (mode) => {
  const cases = recorded.filter((each) => each.mode === mode);

  it('has recorded cases with different answers', () => {
    expect(new Set(cases.map(({ answer }) => JSON.stringify(answer))).size).toBeGreaterThan(25);
  });

  it('answers like the kubelet of Kubernetes', () => {
    for (const { testCase, answer } of cases) {
      const computed: unknown = JSON.parse(JSON.stringify(replayKubelet(mode, testCase)));
      if (!isSameAnswer(mode, answer, computed)) expect(computed, testCase.id).toStrictEqual(answer);
    }
  });
});
