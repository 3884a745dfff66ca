import type { ComponentChildren } from 'preact';
import { selfContained } from '../../common/markup.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { html } from '../../http/document.view.js';
import { mayHere, type PageContext, pathOf, roleIn } from '../../people/portal-context.js';
import { ROLE_NAMES } from '../../people/roles.js';
import { CsrfField } from '../kit/form-components.js';
import { Icon } from '../kit/icons.js';
import { PORTAL_SCRIPT_HREF, SHEET_HREF } from './assets.js';
import { activeItem, navigationOf, platformMode } from './navigation.js';

interface PageProps {
  readonly title: string;
  /** Additional elements of the head. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

const Page = ({ title, head, children }: PageProps) => (
  <html lang="en" dir="ltr">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={SHEET_HREF} />
      <script src={PORTAL_SCRIPT_HREF} defer />
      {head}
    </head>
    <body>{children}</body>
  </html>
);

interface BareProps extends PageProps {
  /** Wider than a form. */
  readonly isWide?: boolean;
}

/** Page without navigation, such as the sign-in. */
export const renderBarePage = ({ title, children, isWide }: BareProps): string =>
  html(
    <Page title={`${title} · Payment orders`}>
      <main class="page page-center" id="main">
        <div class={`container py-4 ${isWide ? 'container-md' : 'container-tight'}`}>
          <p class="text-center text-secondary mb-3">Payment orders</p>
          <div class="card card-md">
            <div class="card-body">
              <h1 class="h2 text-center mb-4">{title}</h1>
              {children}
            </div>
          </div>
        </div>
      </main>
    </Page>,
  );

interface ShellProps extends PageProps {
  readonly context: PageContext;
  /** Under the title, such as the time zone. */
  readonly subtitle?: ComponentChildren;
  /** Beside the title. */
  readonly actions?: ComponentChildren;
  /** Form of the search box, and the search text. */
  readonly search?: SearchBox;
}

interface SearchBox {
  readonly form: string;
  readonly text: string;
}

/** Page with navigation for signed-in users. */
export function renderPage(props: ShellProps): string {
  const { context, title, head, subtitle, actions, children } = props;
  const { access } = context;
  const where = access ? selfContained(access.merchantName) : 'Payment orders';
  const mode = shownMode(context);
  return html(
    <Page title={`${title} · ${where}${mode?.name === 'test' ? ' · Test' : ''}`} head={head}>
      <a class="skip btn btn-primary" href="#main">
        Skip to content
      </a>
      {mode && <ModeBanner mode={mode} />}
      <div class="page">
        <SideBar context={context} />
        <div class="page-wrapper">
          <TopBar {...props} />
          <main id="main" class="page-body" tabindex={-1}>
            <div class="container-xl">
              <div class="page-head">
                <div>
                  <h1 class="page-title">{title}</h1>
                  {subtitle && <div class="text-secondary">{subtitle}</div>}
                </div>
                {actions && <div class="page-actions">{actions}</div>}
              </div>
              {children}
            </div>
          </main>
        </div>
      </div>
    </Page>,
  );
}

interface ShownMode {
  readonly name: Mode;
  /** The same page in the other mode. */
  readonly otherHref: string;
}

const ALL_ORDERS = '/portal/all/';

/** Mode of the page; null if it has none. */
function shownMode({ access, path }: PageContext): ShownMode | null {
  const every = platformMode(path);
  const name = access?.mode ?? every?.mode;
  if (!name) return null;
  const other = name === 'test' ? 'live' : 'test';
  const base = access ? pathOf({ ...access, mode: other }) : `${every!.base}${other}`;
  const isOrders = access
    ? path.startsWith(`${pathOf(access)}/orders`)
    : every!.base === ALL_ORDERS;
  return { name, otherHref: isOrders ? `${base}/orders` : base };
}

function ModeBanner({ mode }: { readonly mode: ShownMode }) {
  const isTest = mode.name === 'test';
  return (
    <div class={isTest ? 'banner' : 'banner live'} role="region" aria-label="Mode">
      <Icon name={isTest ? 'flask' : 'coins'} />
      <span>
        <strong>{isTest ? 'Test mode' : 'Live mode'}</strong>
        {isTest ? ': no real money moves. ' : ': real payers, real money. '}
        <a href={mode.otherHref}>{isTest ? 'Switch to live' : 'Switch to test'}</a>
      </span>
    </div>
  );
}

function SideBar({ context }: { readonly context: PageContext }) {
  const items = navigationOf(context);
  const active = activeItem(items, context.path);
  return (
    <header class="sidebar">
      <Brand context={context} />
      <button class="btn menu-button" type="button" popovertarget="menu" aria-label="Menu">
        <Icon name="menu" />
      </button>
      <nav id="menu" class="menu" aria-label="Main" popover="auto">
        <ul>
          {items.map((item) => (
            <li>
              <a
                class="nav-link"
                href={item.href}
                aria-current={item === active ? 'page' : undefined}
              >
                <Icon name={item.icon} />
                {item.label}
              </a>
            </li>
          ))}
        </ul>
        <You context={context} />
      </nav>
    </header>
  );
}

const TopBar = ({ context, search }: ShellProps) => (
  <section class="topbar" aria-label="Search and account">
    {(search || (context.access && mayHere(context, 'orders.read'))) && (
      <Search context={context} {...(search ? { box: search } : {})} />
    )}
    <You context={context} />
  </section>
);

function Brand({ context: { access } }: { readonly context: PageContext }) {
  const name = access ? selfContained(access.merchantName) : 'Payment orders';
  return (
    <a class="brand" href="/portal" title="Switch merchant">
      <span class="avatar avatar-sm" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <bdi>{name}</bdi>
      <Icon name="switch" />
    </a>
  );
}

interface SearchProps {
  readonly context: PageContext;
  readonly box?: SearchBox;
}

/** On pages with filters, the search box is part of the filter form. */
function Search({ context, box }: SearchProps) {
  const input = (
    <>
      <Icon name="search" />
      <input
        class="form-control"
        type="search"
        name="q"
        form={box?.form}
        value={box?.text}
        maxLength={140}
        placeholder="Order, email, payer, amount"
        aria-label="Search orders"
        aria-keyshortcuts="/"
        data-search
      />
      <kbd data-keys hidden>
        /
      </kbd>
    </>
  );
  if (box) {
    return (
      <div class="search" role="search">
        {input}
      </div>
    );
  }
  return (
    <form class="search" action={`${pathOf(context.access!)}/orders`} role="search">
      {input}
    </form>
  );
}

function You({ context }: { readonly context: PageContext }) {
  const { session, csrf } = context;
  const role = roleIn(context);
  return (
    <div class="you">
      <a class="plain" href="/portal/security">
        <bdi>{selfContained(session.name)}</bdi>
        {role && <span class="text-secondary">{ROLE_NAMES[role]}</span>}
      </a>
      <form method="post" action="/portal/sign-out">
        <CsrfField csrf={csrf} />
        <button class="btn btn-sm">Sign out</button>
      </form>
    </div>
  );
}
