type Declared = Readonly<Record<string, string>>;

const PREFIX = 'xmlns';

/** Which namespaces the open elements have declared: an envelope may name that of the document within. */
export class Namespaces {
  private readonly scopes: Declared[] = [];

  open(attributes: Declared): void {
    const declared = Object.entries(attributes).filter(
      ([name]) => name === PREFIX || name.startsWith(`${PREFIX}:`),
    );
    const above = this.scopes.at(-1) ?? {};
    const own = Object.fromEntries(declared);
    this.scopes.push(declared.length > 0 ? { ...above, ...own } : above);
  }

  close(): void {
    this.scopes.pop();
  }

  /** That of an element with such a name; empty when it has none. */
  of(name: string): string {
    const at = name.indexOf(':');
    return this.scopes.at(-1)?.[at === -1 ? PREFIX : `${PREFIX}:${name.slice(0, at)}`] ?? '';
  }
}
