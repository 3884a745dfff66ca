/** An XML element without its namespace: those of the message are told apart by their place. */
export class XmlElement {
  readonly children: XmlElement[] = [];
  text = '';

  constructor(
    readonly name: string,
    /** The line of the file on which it begins, from 1. */
    readonly line: number,
    readonly currency: string | undefined,
  ) {}

  child(name: string): XmlElement | undefined {
    return this.children.find((each) => each.name === name);
  }

  all(name: string): XmlElement[] {
    return this.children.filter((each) => each.name === name);
  }

  /** The first element at a path such as `Acct/Id/IBAN`. */
  at(path: string): XmlElement | undefined {
    const end = path.indexOf('/');
    if (end === -1) return this.child(path);
    return this.child(path.slice(0, end))?.at(path.slice(end + 1));
  }

  /** The text at the first of some paths that has one, without blanks around it. */
  textAt(...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const text = this.at(path)?.text.trim();
      if (text) return text;
    }
    return undefined;
  }
}
