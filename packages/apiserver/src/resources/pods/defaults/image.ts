/** How an image is pulled unless said otherwise: always where its tag is, or is taken for, "latest". */
export const pullPolicyOf = (image: string): string => (tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent');

/** Mirrors ParseImageName (pkg/util/parsers, 1.36): an image that cannot be read has no tag, one without tag and digest is the latest. */
export function tagOf(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) return undefined;
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const hasDomain = slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  const domain = hasDomain ? first : 'docker.io';
  const rest = hasDomain ? image.slice(slash + 1) : image;
  const match = reference.exec(rest);
  if (!match || !domainName.test(domain) || domain.length + rest.length > 255) return undefined;
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? 'latest' : undefined);
}

const domainName = /^(?:(?!-)[a-zA-Z0-9-]+(?<!-)(?:\.(?!-)[a-zA-Z0-9-]+(?<!-))*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^${component}(?:/${component})*(?::(\\w[\\w.-]{0,127}))?(?:@(${digest}))?$`);
