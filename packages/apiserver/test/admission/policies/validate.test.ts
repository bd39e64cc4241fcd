import { expect, test } from 'vitest';
import { configMap, configMaps, createPolicyFixture, matchConfigMaps, type PolicyFixture } from './fixture.ts';

const deniedBy = (name: string, message: string): string =>
  `configmaps "web" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: ${message}`;

async function createWithPolicy(spec: object, binding: object = {}): Promise<PolicyFixture> {
  const fixture = await createPolicyFixture();
  await fixture.createPolicy('p', spec);
  await fixture.createBinding('p', binding);
  return fixture;
}

test('a policy denies a request with the Status of upstream', async () => {
  const { send } = await createWithPolicy({ validations: [{ expression: "object.data.size == 'small'" }] });
  expect((await send(configMap('web', { size: 'small' }))).error).toBeUndefined();
  const message = deniedBy('p', "failed expression: object.data.size == 'small'");
  expect((await send(configMap('web', { size: 'large' }))).error?.status).toStrictEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Invalid',
    details: { name: 'web', kind: 'configmaps', causes: [{ message: message.slice('configmaps "web" is forbidden: '.length) }] },
    code: 422,
  });
});

test.each([
  ['a fixed message', { message: ' too large ' }, 'too large'],
  ['an evaluated message', { message: 'fixed', messageExpression: "'size ' + object.data.size" }, 'size large'],
  ['the fixed message if the evaluated one is empty', { message: 'fixed', messageExpression: "' '" }, 'fixed'],
  ['the fixed message if the evaluated one has several lines', { message: 'fixed', messageExpression: "'a\\nb'" }, 'fixed'],
  ['the fixed message if there is no evaluated one', { message: 'fixed', messageExpression: 'string(object.nothing)' }, 'fixed'],
  ['the expression', {}, 'failed expression: object.data.size == "small"'],
])('a denial has %s', async (_, validation, expected) => {
  const { send } = await createWithPolicy({ validations: [{ expression: 'object.data.size == "small"', ...validation }] });
  expect((await send(configMap('web', { size: 'large' }))).error?.message).toBe(deniedBy('p', expected));
});

test.each([
  [undefined, 422, 'Invalid'],
  ['Forbidden', 403, 'Forbidden'],
  ['RequestEntityTooLarge', 413, 'RequestEntityTooLarge'],
] as const)('the reason %s gives the code %i', async (reason, code, expected) => {
  const { send } = await createWithPolicy({ validations: [{ expression: 'false', ...(reason && { reason }) }] });
  expect((await send(configMap('web'))).error?.status).toMatchObject({ code, reason: expected });
});

test('a validation without a value is denied, or ignored with failurePolicy Ignore', async () => {
  const validations = [{ expression: "object.nothing == 'x'" }];
  const { send } = await createWithPolicy({ validations });
  expect((await send(configMap('web'))).error?.message).toBe(
    deniedBy('p', "expression 'object.nothing == 'x'' resulted in error: no such key: nothing"),
  );
  const ignoring = await createWithPolicy({ validations, failurePolicy: 'Ignore' });
  expect((await ignoring.send(configMap('web'))).error).toBeUndefined();
});

test('the action Warn warns and does not deny; Audit does neither', async () => {
  const { send } = await createWithPolicy(
    { validations: [{ expression: 'false', message: 'no' }] },
    { validationActions: ['Warn', 'Audit'] },
  );
  const { error, warnings } = await send(configMap('web'));
  expect(error).toBeUndefined();
  expect(warnings).toStrictEqual(["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': no"]);
});

test('variables may use earlier variables, and are evaluated only if they are used', async () => {
  const { send } = await createWithPolicy({
    variables: [
      { name: 'size', expression: 'object.data.size' },
      { name: 'isSmall', expression: "variables.size == 'small'" },
      { name: 'broken', expression: 'object.nothing.x == 1' },
    ],
    validations: [{ expression: "variables.isSmall || (variables.size == 'odd' && variables.broken)" }],
  });
  expect((await send(configMap('web', { size: 'small' }))).error).toBeUndefined();
  expect((await send(configMap('web', { size: 'large' }))).error?.status.code).toBe(422);
  expect((await send(configMap('web', { size: 'odd' }))).error?.message).toBe(
    deniedBy(
      'p',
      "expression 'variables.isSmall || (variables.size == 'odd' && variables.broken)' resulted in error: " +
        'composited variable "broken" fails to evaluate: no such key: nothing',
    ),
  );
});

test('match conditions select requests, and may use variables', async () => {
  const { send } = await createWithPolicy({
    matchConditions: [{ name: 'a', expression: "object.metadata.name.startsWith('w')" }],
    validations: [{ expression: 'false' }],
  });
  expect((await send(configMap('web'))).error?.status.code).toBe(422);
  expect((await send(configMap('other'))).error).toBeUndefined();
});

test('expressions can read the request and the namespace', async () => {
  const { send } = await createWithPolicy({
    validations: [
      { expression: "request.operation == 'CREATE' && request.name == 'web' && request.userInfo.username == 'jane' && !request.dryRun" },
      { expression: "namespaceObject.metadata.labels.team == 'blue' && namespaceObject != null" },
      { expression: "oldObject == null && object.kind == 'ConfigMap'" },
    ],
  });
  expect((await send(configMap('web'), { username: 'jane', groups: [] })).error).toBeUndefined();
});

test('namespaceObject is null for cluster-scoped objects', async () => {
  const { registry, createPolicy, createBinding } = await createPolicyFixture();
  const resourceRules = [{ apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: ['namespaces'] }];
  await createPolicy('p', { matchConstraints: { resourceRules }, validations: [{ expression: 'namespaceObject == null' }] });
  await createBinding('p', {});
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  await expect(registry.create(namespaces, undefined, { metadata: { name: 'x' } })).resolves.toMatchObject({ metadata: { name: 'x' } });
});

test('the authorizer answers checks for the user of the request, and for service accounts', async () => {
  const checks: unknown[] = [];
  const fixture = await createPolicyFixture({
    authorizer: {
      authorize(access) {
        checks.push(access);
        return { isAllowed: access.user.username === 'jane', reason: `asked about ${access.verb}` };
      },
    },
  });
  await fixture.createPolicy('p', {
    validations: [
      { expression: "authorizer.requestResource.check('breakglass').allowed()", messageExpression: "'no'" },
      { expression: "!authorizer.serviceAccount('default', 'bot').path('/healthz').check('get').allowed()" },
      {
        expression:
          "authorizer.group('apps').resource('deployments').subresource('scale').namespace('x').name('y').check('get').reason() == 'asked about get'",
      },
    ],
  });
  await fixture.createBinding('p', {});
  const jane = { username: 'jane', groups: [] };
  expect((await fixture.send(configMap('web'), jane)).error).toBeUndefined();
  expect(checks).toStrictEqual([
    { user: jane, verb: 'breakglass', version: '*', group: '', resource: 'configmaps', subresource: '', name: 'web', namespace: 'default' },
    {
      user: { username: 'system:serviceaccount:default:bot', groups: ['system:serviceaccounts', 'system:serviceaccounts:default'] },
      verb: 'get',
      path: '/healthz',
    },
    { user: jane, verb: 'get', version: '*', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'y', namespace: 'x' },
  ]);
  expect((await fixture.send(configMap('web'), { username: 'joe', groups: [] })).error?.message).toBe(deniedBy('p', 'no'));
});

const withParams = {
  paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  validations: [{ expression: 'object.data.size == params.data.size' }],
};

test.each([
  ['a name', { name: 'limits', namespace: 'default' }],
  ['a selector', { selector: { matchLabels: { a: 'b' } } }],
])('params are found by %s', async (_, paramRef) => {
  const { send } = await createWithPolicy(
    { ...withParams, matchConditions: [{ name: 'a', expression: "object.metadata.name == 'web'" }] },
    { paramRef: { parameterNotFoundAction: 'Allow', ...paramRef } },
  );
  expect((await send({ ...configMap('limits', { size: '5' }), metadata: { name: 'limits', labels: { a: 'b' } } })).error).toBeUndefined();
  expect((await send(configMap('web', { size: '6' }))).error?.message).toBe(
    deniedBy('p', 'failed expression: object.data.size == params.data.size'),
  );
  expect((await send(configMap('web', { size: '5' }))).error).toBeUndefined();
});

test.each([
  ['Allow', undefined],
  ['Deny', deniedBy('p', 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction')],
])('missing params with the action %s', async (parameterNotFoundAction, message) => {
  const { send } = await createWithPolicy(withParams, { paramRef: { name: 'missing', parameterNotFoundAction } });
  expect((await send(configMap('web', { size: '6' }))).error?.message).toBe(message);
});

test('an unknown paramKind denies all requests that the policy matches', async () => {
  const { send } = await createWithPolicy(
    { ...withParams, paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' } },
    { paramRef: { name: 'missing', parameterNotFoundAction: 'Allow' } },
  );
  expect((await send(configMap('web'))).error?.message).toBe(
    `configmaps "web" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: ` +
      "failed to find resource referenced by paramKind: 'example.com/v1, Kind=Limit'",
  );
});

test.each([
  [
    'excluded rules',
    { ...matchConfigMaps, excludeResourceRules: [{ ...matchConfigMaps.resourceRules[0], resourceNames: ['web'] }] },
    false,
  ],
  ['other names', { resourceRules: [{ ...matchConfigMaps.resourceRules[0], resourceNames: ['other'] }] }, false],
  ['its name', { resourceRules: [{ ...matchConfigMaps.resourceRules[0], resourceNames: ['web'] }] }, true],
  ['another namespace', { ...matchConfigMaps, namespaceSelector: { matchLabels: { team: 'red' } } }, false],
  ['its namespace', { ...matchConfigMaps, namespaceSelector: { matchLabels: { team: 'blue' } } }, true],
  ['other labels', { ...matchConfigMaps, objectSelector: { matchLabels: { a: 'b' } } }, false],
] as const)('a policy, or its binding, for %s applies or not', async (_, match, applies) => {
  for (const [policy, binding] of [
    [{ matchConstraints: match }, {}],
    [{}, { matchResources: match }],
  ] as const) {
    const { send } = await createWithPolicy({ validations: [{ expression: 'false' }], ...policy }, binding);
    expect((await send(configMap('web'))).error?.status.code).toBe(applies ? 422 : undefined);
  }
});

test('an audit annotation without a value denies a request even if the action is Warn', async () => {
  const { send } = await createWithPolicy(
    { auditAnnotations: [{ key: 'a', valueExpression: 'string(object.nothing)' }] },
    { validationActions: ['Warn'] },
  );
  expect((await send(configMap('web'))).error?.message).toBe(
    deniedBy('p', "expression 'string(object.nothing)' resulted in error: no such key: nothing"),
  );
});

test('policies apply to neither policies nor reviews, and no longer after their deletion', async () => {
  const { registry, createPolicy, createBinding, send } = await createPolicyFixture();
  const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
  await createPolicy('p', { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] });
  await createBinding('p', {});
  expect((await send(configMap('web'))).error?.status.code).toBe(422);
  await createPolicy('q', { validations: [{ expression: 'true' }] });
  await registry.delete(
    { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingadmissionpolicybindings', kind: '', namespaced: false },
    { name: 'p' },
  );
  expect((await send(configMap('web'))).error).toBeUndefined();
  expect(await registry.storeFor(configMaps).get(configMaps, { namespace: 'default', name: 'web' })).toBeDefined();
});
