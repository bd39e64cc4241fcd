import { expect, test } from 'vitest';
import { matching, scrapeAfter } from './scrape.ts';

test('requests are counted by code, method and host; watches have no duration', async () => {
  const request = { kind: 'request', resource: 'pods', milliseconds: 50 } as const;
  const samples = await scrapeAfter(
    [
      { ...request, verb: 'list', code: 200 },
      { ...request, verb: 'watch', code: 200 },
      { ...request, verb: 'update', code: 409 },
      { ...request, verb: 'create', code: 0 },
    ],
    { host: 'api:6443' },
  );
  expect(matching(samples, /^rest_client_requests_total|duration_seconds_count/)).toEqual({
    'rest_client_requests_total{code="200",method="GET",host="api:6443"}': 2,
    'rest_client_requests_total{code="409",method="PUT",host="api:6443"}': 1,
    'rest_client_requests_total{code="<error>",method="POST",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="GET",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="PUT",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="POST",host="api:6443"}': 1,
  });
});
