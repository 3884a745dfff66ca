/** A client of one of Vendure's two APIs, with a session of its own. */
export class GraphQl {
  private token = '';

  constructor(private readonly url: string) {}

  /**
   * The first member of the answer.
   * @throws Error with what Vendure says, also for the errors that it answers as data
   */
  async ask<T>(query: string, variables: object = {}): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    this.token = response.headers.get('vendure-auth-token') ?? this.token;
    const { data, errors } = (await response.json()) as Answer;
    if (errors) throw new Error(errors.map(({ message }) => message).join(', '));
    const [answer] = Object.values(data!);
    const fault = answer as Fault | null;
    if (fault?.errorCode) throw new Error(wordsOf(fault));
    return answer as T;
  }
}

interface Fault {
  readonly errorCode?: string;
  readonly message?: string;
  readonly transitionError?: string;
  readonly paymentErrorMessage?: string;
}

interface Answer {
  readonly data?: Record<string, unknown>;
  readonly errors?: readonly { readonly message: string }[];
}

const wordsOf = ({ errorCode, message, transitionError, paymentErrorMessage }: Fault): string =>
  `${errorCode}: ${paymentErrorMessage ?? transitionError ?? message}`;

/** For mutations that answer with a union: what went wrong. */
export const FAULT = '... on ErrorResult { errorCode message }';
