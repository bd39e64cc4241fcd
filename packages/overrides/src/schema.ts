/** The subset of JSON Schema (draft 2020-12) that describes rules. */
export interface FormSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer';
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: FormSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Alternatives of different types. */
  readonly anyOf?: readonly FormSchema[];
}

type Fields = Readonly<Record<string, FormSchema>>;

const object = (description: string, properties: Fields, more: FormSchema = {}): FormSchema => ({
  description,
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const oneOf = (description: string, ...values: readonly string[]): FormSchema => ({ description, type: 'string', enum: values });
const someOf = (description: string, ...values: readonly string[]): FormSchema => ({
  description,
  type: 'array',
  items: { type: 'string', enum: values },
  minItems: 1,
  uniqueItems: true,
});
const texts = (description: string, maxLength: number): FormSchema => ({
  description,
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength },
  minItems: 1,
  maxItems: 1000,
});
const text = (description: string, maxLength: number): FormSchema => ({ description, type: 'string', minLength: 1, maxLength });
const names = (what: string): FormSchema => texts(`${what}; "*" stands for any text.`, 253);
const ranges = (what: string): FormSchema => texts(`${what}: CIDRs or single IPs.`, 50);
const percentage = (what: string): FormSchema => ({ description: what, type: 'number', minimum: 0, maximum: 100 });
const seconds = (what: string): FormSchema => ({ description: what, type: 'number', minimum: 0, maximum: 86_400 });
const selector = (what: string): FormSchema => text(`A selector for labels of ${what}, as the API writes it: "app=web,tier!=test".`, 2000);
const timeOfDay = (description: string): FormSchema => ({ description, type: 'string', pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$' });

const window = object(
  'A time once, or again every week.',
  {
    from: text('From then on: RFC 3339.', 40),
    to: text('Up to then: RFC 3339.', 40),
    days: someOf('Of the week, by the day on which it begins.', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'),
    start: timeOfDay('From that time of day on: "00:00" to "23:59".'),
    end: timeOfDay(
      'Up to, but not including, that time of day, "00:00" to "23:59"; on the next day where that is not later than the start.',
    ),
    timeZone: text('Of the IANA database; by default UTC.', 64),
  },
  { minProperties: 1 },
);

const match = object('Which objects; everything that is said has to hold. Without it, all.', {
  namespaces: names('Names of namespaces'),
  services: names('Names of Services'),
  labels: selector('the Endpoints or the EndpointSlice'),
  serviceLabels: selector('the Service; matches nothing where the host does not give the Service'),
  kinds: someOf('By default both.', 'Endpoints', 'EndpointSlice'),
  operations: someOf('By default both.', 'CREATE', 'UPDATE'),
  window,
  percentage: percentage('Of the Services, always the same ones.'),
  expression: text('CEL that gives a bool, over object, oldObject, service, pods, operation and now.', 4000),
});

const addresses = object('Which addresses; everything that is said has to hold. Without it, all.', {
  ranges: ranges('Where they are'),
  pods: names('Names of the pods they are of'),
  nodes: names('Names of nodes'),
  zones: names('Names of zones, which only slices know'),
  podLabels: selector('the pod; matches nothing where the host does not give the pods'),
  state: oneOf('How the writer wants them.', 'ready', 'notReady'),
  percentage: percentage('Of the addresses, always the same ones.'),
  expression: text('CEL that gives a bool, over address (ip, hostname, nodeName, zone, targetRef, ready), pod, and what match has.', 4000),
});

const rangesOf = (description: string): FormSchema =>
  object(
    description,
    {
      allowed: ranges('What is outside may not be there'),
      forbidden: ranges('What is inside may not be there'),
      presets: someOf(
        'Kinds of addresses that may not be there.',
        'loopback',
        'link-local',
        'unspecified',
        'multicast',
        'pods-of-other-namespaces',
      ),
    },
    { minProperties: 1 },
  );

const action = object(
  'Exactly one.',
  {
    keepIn: object('What is stored as ready stays so, as long as the writer lists it.', {}),
    keepOut: object('Not ready, or not there at all.', { as: oneOf('By default "notReady".', 'notReady', 'absent') }),
    move: object('From one list to the other.', { to: oneOf('Where to.', 'ready', 'notReady') }, { required: ['to'] }),
    keepReady: object(
      'How many have to be ready at least.',
      {
        atLeast: {
          description: 'A number, or a share from "1%" to "100%".',
          anyOf: [
            { type: 'integer', minimum: 1, maximum: 100_000 },
            { type: 'string', pattern: '^(?:100|[1-9][0-9]?)%$' },
          ],
        },
      },
      { required: ['atLeast'] },
    ),
    hold: object(
      'What was shown stays so for some seconds after it changed.',
      {
        afterReady: seconds('Shown as not ready for so long after it became ready.'),
        afterUnready: seconds('Shown as ready for so long after it became not ready.'),
      },
      { minProperties: 1 },
    ),
    freeze: object('Everything stays as it is stored.', {}),
    refuse: rangesOf('Refuses the write where an address may not be there.'),
    drop: rangesOf('Leaves out addresses that may not be there.'),
  },
  { minProperties: 1, maxProperties: 1 },
);

const rule = object(
  'A rule.',
  {
    name: { description: 'Unique: a DNS label.', type: 'string', pattern: '^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$' },
    description: { description: 'For people.', type: 'string', maxLength: 1000 },
    mode: oneOf('"audit" only tells what it would do. By default "enforce".', 'enforce', 'audit'),
    match,
    addresses,
    action,
  },
  { required: ['name', 'action'] },
);

/** The JSON Schema (draft 2020-12) of rules, published as docs/endpoint-overrides.schema.json. */
export const overridesSchema: FormSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'EndpointOverrides',
  ...object(
    'Rules that override Endpoints and EndpointSlices as they are written.',
    {
      apiVersion: oneOf('Of this form.', 'kube-endpoints/v1'),
      kind: oneOf('Of this form.', 'EndpointOverrides'),
      evaluation: oneOf('Whether every rule that matches acts, or the first one alone. By default "all".', 'all', 'first'),
      rules: { description: 'In order.', type: 'array', items: rule, minItems: 1, maxItems: 1000 },
    },
    { required: ['rules'] },
  ),
};
