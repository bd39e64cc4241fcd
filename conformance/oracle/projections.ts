import type { EndpointsInput } from 'kube-endpoints/types';

// Each function projects a part of an Endpoints object to values that can be compared.

export const capacityAnnotation = 'endpoints.kubernetes.io/over-capacity';

type Subset = NonNullable<EndpointsInput['subsets']>[number];

/** One address of one port. */
interface Item {
  readonly address: NonNullable<Subset['addresses']>[number];
  readonly ready: boolean;
  readonly port: NonNullable<Subset['ports']>[number] | null;
}

export function otherAnnotations({ metadata }: EndpointsInput): unknown {
  const { [capacityAnnotation]: _, ...others } = metadata?.annotations ?? {};
  return others;
}

export const ports = (object: EndpointsInput): string[] => projectDistinct(object, ({ port }) => port);
export const pods = (object: EndpointsInput): string[] => projectDistinct(object, podOf);
export const readiness = (object: EndpointsInput): string[] => projectDistinct(object, (item) => [podOf(item), item.ready]);
export const ips = (object: EndpointsInput): string[] => projectDistinct(object, (item) => [podOf(item), item.address.ip]);
export const otherFields = (object: EndpointsInput): string[] => projectDistinct(object, ({ address }) => ({ ...address, ip: undefined }));

/** The addresses of each port, in any order. */
export const content = (object: EndpointsInput): string[] =>
  projectDistinct(object, (item) => [podOf(item), item.address.ip, item.ready, item.port]);

/** The ordered lists of addresses and ports, regardless of their subsets. */
export const addressLists = ({ subsets }: EndpointsInput): string[] =>
  sortAsText(
    (subsets ?? []).map(({ addresses, notReadyAddresses }) =>
      [addresses, notReadyAddresses].map((list) => list?.map(({ ip, targetRef }) => [ip, targetRef?.uid])),
    ),
  );
export const portLists = ({ subsets }: EndpointsInput): string[] => sortAsText((subsets ?? []).map((subset) => subset.ports));

/** The ordered subsets, regardless of the order of their addresses and ports. */
export const subsetList = ({ subsets }: EndpointsInput): unknown =>
  (subsets ?? []).map((subset) => [sortAsText(subset.addresses), sortAsText(subset.notReadyAddresses), sortAsText(subset.ports)]);

const projectDistinct = (object: EndpointsInput, project: (item: Item) => unknown): string[] => [
  ...new Set(sortAsText(itemsOf(object).map(project))),
];

const itemsOf = ({ subsets }: EndpointsInput): Item[] =>
  (subsets ?? []).flatMap((subset) =>
    (subset.ports?.length ? subset.ports : [null]).flatMap((port) => [
      ...(subset.addresses ?? []).map((address) => ({ address, ready: true, port })),
      ...(subset.notReadyAddresses ?? []).map((address) => ({ address, ready: false, port })),
    ]),
  );

const podOf = ({ address }: Item): string => `${address.targetRef?.namespace}/${address.targetRef?.name}`;

const sortAsText = (list: readonly unknown[] | null | undefined): string[] => (list ?? []).map((item) => JSON.stringify(item) ?? '').sort();
