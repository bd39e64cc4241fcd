import { describe, expect, it } from 'vitest';
import type { Case } from '../../conformance/oracle/case.ts';
import { replay, replayOnFeed } from '../../conformance/oracle/replay.ts';
import { createReconciler } from '../../src/index.ts';
import { answer, type NodeCase } from '../golden/slices-form.ts';
import { idOf, linesOf, releases, sliceReleases } from '../golden/vectors.ts';
import { sampled } from '../support/sample.ts';
import { onFeed } from './on-feed.ts';

/** What lists come to is what the releases wrote, as test/golden shows; feeds are compared with lists. */
const lines = sampled(linesOf('cases'));

describe('the golden cases come to the same on a feed', () => {
  it.each(releases)('Endpoints of %s', (version) => {
    for (const line of lines) {
      const testCase = JSON.parse(line) as Case;
      expect(replayOnFeed(testCase, { version }), idOf(line)).toStrictEqual(replay(testCase, version));
    }
  });

  it.each(sliceReleases)('EndpointSlices of %s', (version) => {
    for (const line of lines) {
      const testCase = JSON.parse(line) as NodeCase;
      expect(answer(testCase, version, onFeed(createReconciler({ version, rosterFrom: 0 }))), idOf(line)).toStrictEqual(
        answer(testCase, version),
      );
    }
  });
});
