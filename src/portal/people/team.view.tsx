import { selfContained } from '../../common/markup.js';
import { MERCHANT_ROLES, type MerchantRole } from '../../database/people/membership.entity.js';
import type { Member } from '../../database/people/membership.repository.js';
import type { Invitation } from '../../database/people/user-link.repository.js';
import { pathOf, type MerchantContext } from '../../people/portal-context.js';
import { ROLE_NAMES } from '../../people/roles.js';
import type { SecurityProblems } from '../../people/security.service.js';
import { AGAIN_MS, type Team } from '../../people/team.service.js';
import { Card, ListCard } from '../kit/card.js';
import { doneBy, FormField, Notice, PostForm } from '../kit/form-components.js';
import { Timestamp } from '../kit/moment.view.js';
import { renderPage } from '../layout/shell.view.js';

const Done = doneBy({
  invited: 'Invitation sent.',
  again: 'Invitation resent. The previous link no longer works.',
  revoked: 'Invitation revoked.',
  role: 'Role changed. It applies from the next page view.',
  removed: 'Member removed.',
});

/** One-line description of each role. */
const ROLE_LABELS: Readonly<Record<MerchantRole, string>> = {
  owner: 'Full access, including the team.',
  developer: 'API keys, webhooks and logs. No payer data of live orders.',
  finance: 'Orders with payer data, payouts, downloads and emails.',
  viewer: 'Orders with masked payer data. No downloads.',
};

export interface TeamPage {
  readonly context: MerchantContext;
  readonly team: Team;
  readonly now: Date;
  /** The `done` parameter. */
  readonly done?: unknown;
  readonly fault?: string;
  readonly problems?: SecurityProblems<'email' | 'role'>;
  readonly typed?: { readonly email: string; readonly role: MerchantRole | undefined };
}

export const renderTeam = (page: TeamPage): string =>
  renderPage({
    context: page.context,
    title: 'Team',
    subtitle: 'One team for test and live mode.',
    children: (
      <>
        <Done word={page.done} />
        {page.fault && <Notice kind="bad">{page.fault}</Notice>}
        <Members {...page} />
        {page.team.invitations.length > 0 && <Invitations {...page} />}
        <Invite {...page} />
      </>
    ),
  });

const Members = ({ context, team }: TeamPage) => (
  <ListCard id="members" title="Members">
    <ul class="list-group list-group-flush">
      {team.members.map((member) => (
        <MemberItem context={context} member={member} />
      ))}
    </ul>
  </ListCard>
);

interface MemberProps {
  readonly context: MerchantContext;
  readonly member: Member;
}

function MemberItem({ context, member }: MemberProps) {
  const { userId, name, email, createdAt } = member;
  const isMe = userId === context.session.userId;
  return (
    <li class="list-group-item member">
      <div>
        <div>
          <strong>
            <bdi>{selfContained(name)}</bdi>
          </strong>{' '}
          {isMe && <span class="tag">You</span>} <Marks member={member} />
        </div>
        <div class="text-secondary">
          <bdi>{selfContained(email)}</bdi>, since{' '}
          <Timestamp at={createdAt} timeZone={context.access.timeZone} />
        </div>
      </div>
      <MemberForms context={context} member={member} />
    </li>
  );
}

function Marks({ member }: { readonly member: Member }) {
  if (member.isDisabled) return <span class="tag bad">Cannot sign in</span>;
  const needs = member.role === 'owner' || member.role === 'finance';
  return needs && !member.hasSecondFactor ? (
    <span class="tag warn">No two-factor authentication</span>
  ) : null;
}

function MemberForms({ context, member: { userId, name, role } }: MemberProps) {
  const base = `${pathOf(context.access)}/team/members/${userId}`;
  const plain = selfContained(name);
  return (
    <div class="member-forms">
      <PostForm action={`${base}/role`} csrf={context.csrf}>
        <div class="d-flex gap-2">
          <RoleSelect id={`role-${userId}`} label={`Role of ${plain}`} value={role} isSmall />
          <button class="btn btn-sm" aria-label={`Change the role of ${plain}`}>
            Change
          </button>
        </div>
      </PostForm>
      <details>
        <summary class="btn btn-sm" aria-label={`Remove ${plain}`}>
          Remove
        </summary>
        <PostForm action={`${base}/remove`} csrf={context.csrf}>
          <p class="mb-2">This person loses access to this merchant.</p>
          <button class="btn btn-sm btn-danger">Yes, remove</button>
        </PostForm>
      </details>
    </div>
  );
}

interface RoleSelectProps {
  readonly id: string;
  /** Accessible name if there is no visible label. */
  readonly label?: string;
  readonly value: MerchantRole | undefined;
  readonly isSmall?: boolean;
  readonly problem?: string | undefined;
}

const RoleSelect = ({ id, label, value, isSmall, problem }: RoleSelectProps) => (
  <select
    class={`form-select ${isSmall ? 'form-select-sm' : ''} ${problem ? 'is-invalid' : ''}`}
    id={id}
    name="role"
    aria-label={label}
    aria-describedby={problem ? `${id}-problem` : undefined}
    aria-invalid={problem ? 'true' : undefined}
  >
    {MERCHANT_ROLES.map((role) => (
      <option value={role} selected={role === value}>
        {ROLE_NAMES[role]}
      </option>
    ))}
  </select>
);

const Invitations = ({ context, team, now }: TeamPage) => (
  <ListCard id="invitations" title="Invitations">
    <ul class="list-group list-group-flush">
      {team.invitations.map((invitation) => (
        <InvitationItem context={context} invitation={invitation} now={now} />
      ))}
    </ul>
  </ListCard>
);

interface InvitationProps {
  readonly context: MerchantContext;
  readonly invitation: Invitation;
  readonly now: Date;
}

function InvitationItem({ context, invitation, now }: InvitationProps) {
  const { id, email, role, expiresAt, createdAt } = invitation;
  const base = `${pathOf(context.access)}/team/invitations/${id}`;
  const plain = selfContained(email);
  const mayAgain = now.getTime() - createdAt.getTime() >= AGAIN_MS;
  return (
    <li class="list-group-item member">
      <div>
        <div>
          <strong>
            <bdi>{plain}</bdi>
          </strong>{' '}
          <span class="text-secondary">{ROLE_NAMES[role]}</span>{' '}
          <MailState invitation={invitation} now={now} />
        </div>
        <div class="text-secondary">
          Valid until <Timestamp at={expiresAt} timeZone={context.access.timeZone} />
        </div>
      </div>
      <div class="member-forms">
        {mayAgain && (
          <PostForm action={`${base}/again`} csrf={context.csrf}>
            <button class="btn btn-sm" aria-label={`Send again to ${plain}`}>
              Send again
            </button>
          </PostForm>
        )}
        <PostForm action={`${base}/revoke`} csrf={context.csrf}>
          <button class="btn btn-sm" aria-label={`Revoke the invitation of ${plain}`}>
            Revoke
          </button>
        </PostForm>
      </div>
    </li>
  );
}

function MailState({ invitation, now }: Omit<InvitationProps, 'context'>) {
  if (invitation.expiresAt <= now) return <span class="tag">Expired</span>;
  if (invitation.sentAt) return <span class="tag good">Sent</span>;
  if (invitation.isWaiting) return <span class="tag busy">Sending</span>;
  return <span class="tag bad">Email not delivered</span>;
}

function Invite({ context, problems = {}, typed }: TeamPage) {
  return (
    <Card id="invite" title="Invite a member" class="card">
      <div class="people">
        <PostForm action={`${pathOf(context.access)}/team/invitations`} csrf={context.csrf}>
          <FormField
            name="email"
            label="Email"
            type="email"
            value={typed?.email ?? ''}
            hint="We send a link to this address. It works once, within seven days."
            problem={problems.email}
            autocomplete="off"
            maxLength={254}
          />
          <div class="mb-3">
            <label class="form-label" for="role">
              Role
            </label>
            <RoleSelect id="role" value={typed?.role ?? 'viewer'} problem={problems.role} />
            {problems.role && (
              <div class="problem" id="role-problem">
                {problems.role}
              </div>
            )}
          </div>
          <button class="btn btn-primary">Send invitation</button>
        </PostForm>
        <RoleLabels />
      </div>
    </Card>
  );
}

const RoleLabels = () => (
  <dl class="role-words">
    {MERCHANT_ROLES.map((role) => (
      <div>
        <dt>{ROLE_NAMES[role]}</dt>
        <dd>{ROLE_LABELS[role]}</dd>
      </div>
    ))}
  </dl>
);
