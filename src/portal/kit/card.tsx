import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Section of a page with a heading. */
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

/** A card without padding, for a table or list. */
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

/** ID or URL that may wrap anywhere. */
export const Code = ({ text }: { readonly text: string }) => (
  <bdi class="id">{selfContained(text)}</bdi>
);
