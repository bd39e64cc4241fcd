import type { EndpointsInput } from 'kube-endpoints/types';

/** The number of endpoints listed before the rest is only counted. */
const maxListedEndpoints = 3;

/** Formats the ready endpoints in one cell, as `kubectl get endpoints` does: "10.0.0.1:80,10.0.0.2:80 + 3 more...". */
export function formatEndpoints({ subsets }: Pick<EndpointsInput, 'subsets'>): string {
  const endpointTexts = (subsets ?? []).flatMap(({ addresses, ports }) => {
    const ips = (addresses ?? []).map(({ ip }) => ip ?? '');
    return ports?.length ? ports.flatMap(({ port }) => ips.map((ip) => joinHostPort(ip, port ?? 0))) : ips;
  });
  const listedText = endpointTexts.slice(0, maxListedEndpoints).join(',');
  return endpointTexts.length > maxListedEndpoints
    ? `${listedText} + ${endpointTexts.length - maxListedEndpoints} more...`
    : listedText || '<none>';
}

const joinHostPort = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
