const digitsOf = (text: string): number[] => [...text].map(Number);

export function isIsbn10(text: string): boolean {
  const own = text.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(own)) return false;
  const sum = digitsOf(own.slice(0, 9)).reduce((total, digit, i) => total + (i + 1) * digit, 0);
  return (sum + 10 * (own[9] === 'X' ? 10 : Number(own[9]))) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const own = text.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(own)) return false;
  const sum = digitsOf(own.slice(0, 12)).reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * digit, 0);
  return Number(own[12]) === (10 - (sum % 10)) % 10;
}

/** The numbers of the large issuers, with Luhn's check. */
export function isCreditCard(text: string): boolean {
  const own = text.replace(/\D+/g, '');
  if (!issued.some((each) => each.test(own))) return false;
  const sum = digitsOf(own)
    .reverse()
    .reduce((total, digit, i) => total + (i % 2 === 0 ? digit : Math.floor((digit * 2) / 10) + ((digit * 2) % 10)), 0);
  return sum % 10 === 0;
}

const issued: readonly RegExp[] = [
  /^4\d{12}(?:\d{3})?$/,
  /^5[1-5]\d{14}$/,
  /^6(?:011|5\d\d)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^(?:2131|1800|35\d{3})\d{11}$/,
];
