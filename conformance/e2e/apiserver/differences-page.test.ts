import { describe, expect, it } from 'vitest';
import { explanations, judge, MAX_EXPLANATIONS } from './compare/explained.ts';
import { pageOf, readPage } from './differences-page.ts';

describe('the differences that are explained', () => {
  it('are on their page as they are in the table', () => {
    expect(readPage()).toBe(pageOf(explanations));
  });

  it('are few, and each is told of once', () => {
    expect(explanations.length).toBeLessThanOrEqual(MAX_EXPLANATIONS);
    expect(new Set(explanations.map(({ title }) => title)).size).toBe(explanations.length);
  });
});

describe('judge', () => {
  const compared = { topic: 't', number: 1, request: 'GET /version', code: 200, fields: 3 };
  const known = [{ title: 'known', why: 'because', request: /^GET \/version$/, field: /^body\.a$/ }];
  const differing = (field: string) => ({ ...compared, differences: [{ field, real: 1, ours: 2 }] });

  it('passes what is explained', () => {
    const { judged, unused } = judge([differing('body.a')], known);
    expect([judged[0]?.unexplained, unused]).toEqual([[], []]);
  });

  it('keeps what nothing explains, and tells of explanations that nothing needs', () => {
    const { judged, unused } = judge([differing('body.b'), { ...differing('body.a'), request: 'GET /other' }], known);
    expect(judged.map(({ unexplained }) => unexplained.length)).toEqual([1, 1]);
    expect(unused).toEqual(known);
  });
});
