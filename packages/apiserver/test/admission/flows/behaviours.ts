import type { ServerResponse } from 'node:http';
import type { Behaviour, Review } from '../support/webhook-server.ts';
import { badPatches } from './bad-patches.ts';

type Json = Readonly<Record<string, unknown>>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const send = (answer: ServerResponse, body: unknown, code = 200, headers: Readonly<Record<string, string>> = {}): void => {
  answer.writeHead(code, { 'content-type': 'application/json', ...headers });
  answer.end(typeof body === 'string' ? body : JSON.stringify(body));
};

export const reply = (review: Review, response: Json): Json => ({
  kind: 'AdmissionReview',
  apiVersion: review['apiVersion'],
  response: { uid: review.request.uid, ...response },
});

const respond =
  (response: Json | ((review: Review) => Json)): Behaviour =>
  (review, answer) =>
    send(answer, reply(review, typeof response === 'function' ? response(review) : response));

const deny = (status?: Json): Behaviour => respond({ allowed: false, ...(status && { status }) });

const patch = (operations: unknown): Behaviour =>
  respond({ allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(operations)) });

/** Adds a label with value "1", or increments its value. */
const label = (name: string): Behaviour =>
  respond(({ request }) => {
    const { labels } = ((request['object'] as Json | null)?.['metadata'] ?? {}) as Json;
    const value = String(Number((labels as Json | undefined)?.[name] ?? 0) + 1);
    const operation = labels
      ? { op: 'add', path: `/metadata/labels/${name}`, value }
      : { op: 'add', path: '/metadata/labels', value: { [name]: value } };
    return { allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify([operation])) };
  });

/** Answers with something other than an AdmissionReview. */
const respondRaw =
  (body: string, code?: number, headers?: Readonly<Record<string, string>>): Behaviour =>
  (_review, answer) =>
    send(answer, body, code, headers);

const allow = respond({ allowed: true });

/** The answers of the test webhooks, by URL path. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  '': allow,
  allow,
  'some/path': allow,
  deny: deny(),
  'deny-message': deny({ message: 'not on a Friday' }),
  'deny-reason': deny({ code: 403, reason: 'Forbidden' }),
  'deny-success': deny({ code: 200, status: 'Success', message: 'fine' }),
  'deny-details': deny({
    code: 422,
    reason: 'Invalid',
    message: 'bad data',
    details: { name: 'web', kind: 'ConfigMap', causes: [{ reason: 'FieldValueInvalid', message: 'is wrong', field: 'data.a' }] },
  }),
  'deny-custom': deny({ status: 'Custom', code: 499, message: 'odd' }),
  'deny-retry': deny({ code: 429, reason: 'TooManyRequests', message: 'slow down', details: { retryAfterSeconds: 3 } }),
  warn: respond({ allowed: true, warnings: ['careful', '', 'careful', 'tab\tinside', 'ümlaut "quoted"'] }),
  'warn-deny': respond({ allowed: false, warnings: ['told you'], status: { message: 'no' } }),
  'warn-long': respond({ allowed: true, warnings: ['a'.repeat(3000), 'b'.repeat(3000)] }),
  'label-a': label('a'),
  'label-b': label('b'),
  'label-once': respond(({ request }) => {
    const labels = ((request['object'] as Json)['metadata'] as Json)['labels'] as Json | undefined;
    if (labels?.['once']) return { allowed: true };
    return {
      allowed: true,
      patchType: 'JSONPatch',
      patch: base64(JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { ...labels, once: '1' } }])),
    };
  }),
  ...Object.fromEntries(Object.entries(badPatches).map(([name, operations]) => [name, patch(operations)])),
  'patch-same': patch([{ op: 'add', path: '/data', value: { a: '1' } }]),
  'patch-none': patch([]),
  'patch-null': respond({ allowed: true, patchType: 'JSONPatch', patch: base64('null') }),
  'patch-not-there': patch([{ op: 'remove', path: '/data/nope' }]),
  'patch-test': patch([{ op: 'test', path: '/data/a', value: 'other' }]),
  'patch-no-path': patch([{ op: 'add', value: 1 }]),
  'patch-odd-op': patch([{ op: 'change', path: '/data', value: {} }]),
  'patch-text': respond({ allowed: true, patchType: 'JSONPatch', patch: base64('not json') }),
  'patch-object': respond({ allowed: true, patchType: 'JSONPatch', patch: base64('{"op":"add"}') }),
  'patch-no-base64': respond({ allowed: true, patchType: 'JSONPatch', patch: '***' }),
  'patch-untyped': respond({ allowed: true, patch: base64('[]') }),
  'patch-typed-empty': respond({ allowed: true, patchType: '', patch: base64('[]') }),
  'patch-merge': respond({ allowed: true, patchType: 'MergePatch', patch: base64('[{"op":"remove","path":"/data"}]') }),
  'type-only': respond({ allowed: true, patchType: 'JSONPatch' }),
  'patch-deny': respond({ allowed: false, patchType: 'JSONPatch', patch: base64('[]'), status: { message: 'no' } }),
  'patch-kind': patch([{ op: 'replace', path: '/kind', value: 'Secret' }]),
  'patch-no-kind': patch([{ op: 'replace', path: '/kind', value: 'Nonsense' }]),
  'patch-name': patch([{ op: 'replace', path: '/metadata/name', value: 'other' }]),
  'patch-namespace': patch([{ op: 'replace', path: '/metadata/namespace', value: 'other' }]),
  'patch-unknown': patch([{ op: 'add', path: '/nonsense', value: 1 }]),
  'patch-type': patch([{ op: 'add', path: '/data', value: 'text' }]),
  'patch-data': patch([{ op: 'add', path: '/data', value: { b: 2 } }]),
  'uid-other': respond({ uid: 'other', allowed: true }),
  'no-response': (review, answer) => send(answer, { kind: 'AdmissionReview', apiVersion: review['apiVersion'] }),
  'no-kind': (review, answer) => send(answer, { response: { uid: review.request.uid, allowed: true } }),
  'other-version': (review, answer) =>
    send(answer, { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1beta1', response: { uid: review.request.uid, allowed: true } }),
  'other-kind': respondRaw('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}'),
  'other-group': respondRaw('{"kind":"AdmissionReview","apiVersion":"example.com/v1"}'),
  'not-json': respondRaw('not json'),
  'broken-json': respondRaw('{"kind":'),
  empty: respondRaw(''),
  array: respondRaw('[]'),
  nothing: respondRaw('{}'),
  'status-200': respondRaw(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"a failure in itself","code":500}',
  ),
  'status-500': respondRaw(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"a failure in itself","reason":"Conflict","code":409}',
    500,
  ),
  'text-500': respondRaw('it broke\n', 500, { 'content-type': 'text/plain' }),
  'json-500': respondRaw('{"it":"broke"}', 500),
  'text-400': respondRaw('bad\n', 400, { 'content-type': 'text/plain' }),
  'text-403': respondRaw('who are you\n', 403, { 'content-type': 'text/plain' }),
  'text-503': respondRaw('later\n', 503, { 'content-type': 'text/plain' }),
  'text-418': respondRaw('tea\n', 418, { 'content-type': 'text/plain' }),
  created: (review, answer) => send(answer, reply(review, { allowed: true }), 201),
  'allowed-text': respond({ allowed: 'yes' }),
  'warnings-text': respond({ allowed: true, warnings: 'text' }),
  'audit-numbers': respond({ allowed: true, auditAnnotations: { a: 1 } }),
  audit: respond({ allowed: true, auditAnnotations: { 'not a key!': 'a', fine: 'b' } }),
  yaml: (review, answer) =>
    send(answer, `kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse:\n  uid: ${review.request.uid}\n  allowed: true\n`),
  'odd-type': (review, answer) => send(answer, reply(review, { allowed: true }), 200, { 'content-type': 'text/html' }),
  'no-type': (review, answer) => {
    answer.writeHead(200);
    answer.end(JSON.stringify(reply(review, { allowed: true })));
  },
  'broken-type': (review, answer) => send(answer, reply(review, { allowed: true }), 200, { 'content-type': 'a/b/c' }),
  'retry-429': (review, answer, earlierCallCount) => {
    if (earlierCallCount === 0) send(answer, 'later', 429, { 'retry-after': '0' });
    else send(answer, reply(review, { allowed: true }));
  },
  'retry-always': respondRaw('later\n', 503, { 'retry-after': '0', 'content-type': 'text/plain' }),
  slow: () => undefined,
  'slow-body': (_review, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.write('{"kind":');
  },
  hangup: (_review, answer) => void answer.socket?.destroy(),
  truncated: (_review, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    answer.write('{"kind":', () => answer.socket?.destroy());
  },
  'redirect-302': (_review, answer) => send(answer, '', 302, { location: '/allow' }),
  'redirect-307': (_review, answer) => send(answer, '', 307, { location: '/allow' }),
  huge: (_review, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    const chunk = ' '.repeat(2 ** 20);
    for (let i = 0; i < 24; i++) answer.write(chunk);
    answer.end();
  },
};
