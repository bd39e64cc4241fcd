import { describe, expect, test } from 'vitest';
import { urlFunctions } from '../../src/functions/url.ts';
import { differences, evaluator } from '../replay.ts';

const longLength = 2 ** 18;
const evaluate = evaluator([urlFunctions]);

describe('URLs', () => {
  test('agree with Kubernetes', () => {
    expect(differences('url', urlFunctions)).toEqual({});
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
