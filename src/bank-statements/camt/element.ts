/** An XML element without its namespace. Elements are identified by their position in the message. */
export class XmlElement {
  readonly children: XmlElement[] = [];
  text = '';

  constructor(
    readonly name: string,
    /** Line in the file, from 1. */
    readonly line: number,
    readonly currency: string | undefined,
  ) {}

  child(name: string): XmlElement | undefined {
    return this.children.find((each) => each.name === name);
  }

  all(name: string): XmlElement[] {
    return this.children.filter((each) => each.name === name);
  }

  /** First element at a path such as `Acct/Id/IBAN`. */
  at(path: string): XmlElement | undefined {
    const end = path.indexOf('/');
    if (end === -1) return this.child(path);
    return this.child(path.slice(0, end))?.at(path.slice(end + 1));
  }

  /** First non-empty text at one of the paths, trimmed. */
  textAt(...paths: readonly string[]): string | undefined {
    for (const path of paths) {
      const text = this.at(path)?.text.trim();
      if (text) return text;
    }
    return undefined;
  }
}
