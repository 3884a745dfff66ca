import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of the page under a heading of its own. */
export const Card = ({ id, title, class: kind = 'card mb-3', children }: CardProps) => (
  <section class={kind} aria-labelledby={id}>
    <div class="card-body">
      <h2 class="card-title" id={id}>
        {title}
      </h2>
      {children}
    </div>
  </section>
);

/** The same for a table or a list, which goes from edge to edge. */
export const ListCard = ({ id, title, class: kind = 'card mb-3', children }: CardProps) => (
  <section class={kind} aria-labelledby={id}>
    <div class="card-header">
      <h2 class="card-title" id={id}>
        {title}
      </h2>
    </div>
    {children}
  </section>
);

interface DetailProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

export const DetailList = ({ children }: { readonly children: ComponentChildren }) => (
  <dl class="facts">{children}</dl>
);

export const Detail = ({ name, children }: DetailProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** An id or an address, which may break anywhere. */
export const Code = ({ text }: { readonly text: string }) => (
  <bdi class="id">{selfContained(text)}</bdi>
);
