import { Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { MailTransport } from './mail-transport.js';

@Module({ providers: [MailTransport], exports: [MailTransport] })
class MailTransportModule {}

/** Sends mails to a server, or writes them to a folder. */
@Module({
  imports: [
    MailerModule.forRootAsync({
      imports: [MailTransportModule],
      inject: [MailTransport],
      useFactory: (transport: MailTransport) => ({ transport }),
    }),
  ],
})
export class MailModule {}
