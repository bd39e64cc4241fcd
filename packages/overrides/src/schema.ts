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
const names = (subject: string): FormSchema => texts(`${subject}; "*" stands for any text.`, 253);
const ranges = (subject: string): FormSchema => texts(`${subject}: CIDRs or single IPs.`, 50);
const percentage = (subject: string): FormSchema => ({ description: subject, type: 'number', minimum: 0, maximum: 100 });
const seconds = (subject: string): FormSchema => ({ description: subject, type: 'number', minimum: 0, maximum: 86_400 });
const selector = (subject: string): FormSchema =>
  text(`A selector for labels of ${subject}, as the API writes it: "app=web,tier!=test".`, 2000);
const timeOfDay = (description: string): FormSchema => ({ description, type: 'string', pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$' });

const window = object(
  'The time when the rule applies: once, or every week.',
  {
    from: text('The time from which the rule applies: RFC 3339.', 40),
    to: text('The time until which the rule applies: RFC 3339.', 40),
    days: someOf('Days of the week on which the window begins.', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'),
    start: timeOfDay('The time of day when the window begins: "00:00" to "23:59".'),
    end: timeOfDay('The time of day when the window ends, "00:00" to "23:59"; on the next day if it is not later than the start.'),
    timeZone: text('A time zone of the IANA database; default: UTC.', 64),
  },
  { minProperties: 1 },
);

const match = object('The objects that the rule applies to; all conditions must hold. Default: all objects.', {
  namespaces: names('Names of namespaces'),
  services: names('Names of Services'),
  labels: selector('the Endpoints or the EndpointSlice'),
  serviceLabels: selector('the Service; matches nothing if the host does not provide the Service'),
  kinds: someOf('Default: both.', 'Endpoints', 'EndpointSlice'),
  operations: someOf('Default: both.', 'CREATE', 'UPDATE'),
  window,
  percentage: percentage('A percentage of the Services, always the same ones.'),
  expression: text('A CEL expression of type bool over object, oldObject, service, pods, operation and now.', 4000),
});

const addresses = object('The addresses that the rule applies to; all conditions must hold. Default: all addresses.', {
  ranges: ranges('Ranges that contain the addresses'),
  pods: names('Names of the pods that the addresses belong to'),
  nodes: names('Names of nodes'),
  zones: names('Names of zones, which only slices have'),
  podLabels: selector('the pod; matches nothing if the host does not provide the pods'),
  state: oneOf('The state in which the writer lists them.', 'ready', 'notReady'),
  percentage: percentage('A percentage of the addresses, always the same ones.'),
  expression: text(
    'A CEL expression of type bool over address (ip, hostname, nodeName, zone, targetRef, ready), pod, and the variables of match.',
    4000,
  ),
});

const rangesOf = (description: string): FormSchema =>
  object(
    description,
    {
      allowed: ranges('Addresses outside of these ranges are not allowed'),
      forbidden: ranges('Addresses in these ranges are not allowed'),
      presets: someOf(
        'Kinds of addresses that are not allowed.',
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
  'The action; exactly one.',
  {
    keepIn: object('Addresses that are stored as ready stay ready as long as the writer lists them.', {}),
    keepOut: object('Addresses become not ready, or are left out.', { as: oneOf('Default: "notReady".', 'notReady', 'absent') }),
    move: object(
      'Moves addresses from one list to the other.',
      { to: oneOf('The target list.', 'ready', 'notReady') },
      { required: ['to'] },
    ),
    keepReady: object(
      'Keeps a minimum of addresses ready.',
      {
        atLeast: {
          description: 'A number, or a percentage from "1%" to "100%".',
          anyOf: [
            { type: 'integer', minimum: 1, maximum: 100_000 },
            { type: 'string', pattern: '^(?:100|[1-9][0-9]?)%$' },
          ],
        },
      },
      { required: ['atLeast'] },
    ),
    hold: object(
      'Delays changes of readiness.',
      {
        afterReady: seconds('Seconds for which an address is shown as not ready after it became ready.'),
        afterUnready: seconds('Seconds for which an address is shown as ready after it became not ready.'),
      },
      { minProperties: 1 },
    ),
    freeze: object('The object stays as it is stored.', {}),
    refuse: rangesOf('Refuses the write if an address is not allowed.'),
    drop: rangesOf('Leaves out addresses that are not allowed.'),
  },
  { minProperties: 1, maxProperties: 1 },
);

const rule = object(
  'A rule.',
  {
    name: { description: 'Unique: a DNS label.', type: 'string', pattern: '^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$' },
    description: { description: 'A description for readers.', type: 'string', maxLength: 1000 },
    mode: oneOf('"audit" only reports what the rule would do. Default: "enforce".', 'enforce', 'audit'),
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
      apiVersion: oneOf('Version and kind of the format.', 'kube-endpoints/v1'),
      kind: oneOf('Version and kind of the format.', 'EndpointOverrides'),
      evaluation: oneOf('Whether all matching rules act, or only the first one. Default: "all".', 'all', 'first'),
      rules: { description: 'The rules, in order.', type: 'array', items: rule, minItems: 1, maxItems: 1000 },
    },
    { required: ['rules'] },
  ),
};
