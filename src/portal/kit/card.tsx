import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';

interface CardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A part of the page under a heading of its own. */
export const Card = ({ id, title, children }: CardProps) => (
  <section class="card mb-3" aria-labelledby={id}>
    <div class="card-body">
      <h2 class="card-title" id={id}>
        {title}
      </h2>
      {children}
    </div>
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
