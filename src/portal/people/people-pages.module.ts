import { Module } from '@nestjs/common';
import { PeopleModule } from '../../people/people.module.js';
import { AuditController } from './audit.controller.js';
import { InvitationController } from './invitation.controller.js';
import { ResetController } from './reset.controller.js';
import { SecurityController } from './security.controller.js';
import { SignInController } from './sign-in.controller.js';
import { TeamController } from './team.controller.js';

/** Pages for sign-in, account security, the team and the audit log. */
@Module({
  imports: [PeopleModule],
  controllers: [
    SignInController,
    ResetController,
    InvitationController,
    SecurityController,
    TeamController,
    AuditController,
  ],
})
export class PeoplePagesModule {}
