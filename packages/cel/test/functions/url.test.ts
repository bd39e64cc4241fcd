import { describe, expect, test } from 'vitest';
import { urlFunctions } from '../../src/functions/url.ts';
import { createEvaluator, findDifferences } from '../replay.ts';

const longLength = 2 ** 18;
const evaluate = createEvaluator([urlFunctions]);

describe('URLs', () => {
  test('agree with Kubernetes', () => {
    expect(findDifferences('url', urlFunctions)).toEqual({});
  });

  test.each(['/', '%41', '%', ':', '[', ']', '@', '?', '#', 'é', '&a=1', '%ff'])('are parsed quickly: %s', (part) => {
    const text = part.repeat(longLength / part.length);
    for (const url of [
      text,
      `/${text}`,
      `//${text}`,
      `http://${text}`,
      `http://[${text}]`,
      `http://a:${text}`,
      `x:${text}`,
      `/?${text}`,
      `/#${text}`,
    ]) {
      evaluate('[isURL(given), url(given) == url(given), url(given).getQuery().size() == 0]', url);
      evaluate('url(given).getEscapedPath() + url(given).getHostname() + url(given).getPort()', url);
    }
  });
});
