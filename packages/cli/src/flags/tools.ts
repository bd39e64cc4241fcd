import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A tool of the MCP server: a command of this program that only reads. */
export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON<ToolInput>;
  /** The arguments of the command line, without the source of the objects. */
  toArguments(input: ToolInput): readonly string[];
}

/** The arguments of all tools. */
export interface ToolInput {
  readonly services?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
  readonly selector?: string | undefined;
  readonly problems?: boolean | undefined;
  readonly pod?: string | undefined;
  readonly target?: string | undefined;
  readonly fromPod?: string | undefined;
  readonly node?: string | undefined;
  readonly fromRelease?: string | undefined;
  readonly toRelease?: string | undefined;
  readonly release?: string | undefined;
  readonly format?: 'text' | 'json' | undefined;
}

const maxTextLength = 300;

/** A value of a flag. It may not begin with a dash, so that it is never read as another flag. */
const text = (description: string): z.ZodOptional<z.ZodString> =>
  z.string().max(maxTextLength).regex(/^[^-]/, 'may not be empty or begin with "-"').describe(description).optional();

const common = {
  namespace: text('The namespace; default: that of the context, or "default".'),
  release: text('The Kubernetes release to follow, such as "1.33"; default: that of the cluster, or the newest.'),
  format: z.enum(['text', 'json']).describe('Default: "text", which is shorter.').optional(),
};

const selection = {
  services: z
    .array(text('A Service.').unwrap())
    .max(50)
    .describe('Services, as "web" or "shop/web"; default: all of the namespace.')
    .optional(),
  allNamespaces: z.boolean().describe('All namespaces.').optional(),
  selector: text('A label selector for Services, such as "app=web".'),
};

/** "-n shop" for { namespace: "shop" }; a flag without a value is left out. */
const flag = (name: string, value: string | undefined): readonly string[] => (value === undefined ? [] : [`${name}=${value}`]);

const commonArguments = ({ namespace, release, format }: ToolInput): readonly string[] => [
  ...flag('--namespace', namespace),
  ...flag('--release', release),
  ...(format === 'json' ? ['--output=json'] : []),
];

const selectionArguments = ({ services = [], allNamespaces, selector }: ToolInput): readonly string[] => [
  ...(allNamespaces ? ['--all-namespaces'] : []),
  ...flag('--selector', selector),
  ...services,
];

export const tools: Readonly<Record<string, Tool>> = {
  explain: {
    title: 'Explain Services',
    description:
      'Says whether Services work, and the root cause, the evidence and the fix of each problem. With "services", also the result for each pod.',
    inputSchema: z.object({
      ...selection,
      ...common,
      problems: z.boolean().describe('List only Services with problems, the worst first.').optional(),
      pod: text('Explain only this pod, for each Service of its namespace.'),
    }),
    toArguments: (input) => [
      ...(input.problems ? ['--problems'] : []),
      ...flag('--pod', input.pod),
      ...commonArguments(input),
      ...selectionArguments(input),
    ],
  },
  trace: {
    title: 'Trace a request',
    description:
      'Follows a name, an address or a URL to the pods that answer: DNS, Ingress or Gateway, Service, endpoints, network policies and readiness. Names the root cause if the request fails.',
    inputSchema: z.object({
      target: text('Such as "web.shop:http", "10.96.0.7:80", "https://shop.example.com/cart".').unwrap(),
      fromPod: text('The client pod, as "NAMESPACE/pod/NAME".'),
      node: text('The node of the client.'),
      ...common,
    }),
    toArguments: (input) => [
      ...flag('--from', input.fromPod),
      ...flag('--node', input.node),
      ...commonArguments(input),
      input.target ?? '',
    ],
  },
  diff: {
    title: 'Compare with the controllers',
    description:
      'Compares the stored Endpoints and EndpointSlices with those that the controllers of the release write, and with each other.',
    inputSchema: z.object({ ...selection, ...common }),
    toArguments: (input) => [...commonArguments(input), ...selectionArguments(input)],
  },
  upgrade: {
    title: 'Compare two releases',
    description: 'Says what changes for Services and pods between two Kubernetes releases, and which upstream change is the cause.',
    inputSchema: z.object({
      ...selection,
      namespace: common.namespace,
      format: common.format,
      fromRelease: text('The current release, such as "1.29".').unwrap(),
      toRelease: text('The new release; default: the newest.'),
    }),
    toArguments: (input) => [
      ...flag('--from', input.fromRelease),
      ...flag('--to', input.toRelease),
      ...commonArguments(input),
      ...selectionArguments(input),
    ],
  },
};
