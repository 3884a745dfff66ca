import type { Messages } from '../messages.js';

export const es: Messages = {
  testBanner: 'Esta es una página de prueba. No se mueve dinero.',
  order: 'Pedido {id}',
  pay: 'Pagar {amount}',
  payBy: 'Pague antes de: {time}',
  timeLeft: 'quedan {time}',
  fiveMinutes: 'Quedan 5 minutos para pagar.',
  oneMinute: 'Queda 1 minuto para pagar.',
  chooseMethod: '¿Cómo quiere pagar?',
  continueAtBank: 'Continuar en el banco',
  cancel: 'Cancelar este pedido',
  cancelWarning: 'El pedido se cerrará y ya no se podrá pagar.',
  cancelYes: 'Sí, cancelar el pedido',
  back: 'Volver a {merchant}',
  leaving: 'Volverá a {merchant} en {seconds} s.',
  stay: 'Quedarme en esta página',
  questions: '¿Preguntas? {contact}',
  progress: 'Progreso',
  steps: ['Pago', 'El banco confirma', 'Listo'],
  language: 'Idioma',
  states: {
    open: {
      title: 'Su pago',
      happened: '',
      next: 'En el siguiente paso confirmará el pago en su banco.',
    },
    processing: {
      title: 'Esperando su pago',
      happened: 'Su pago se ha iniciado, pero aún no está confirmado.',
      next: 'Confírmelo en su banco. Si ya lo ha hecho, espere un momento: esta página se actualiza sola.',
    },
    unknown: {
      title: 'Estamos comprobando su pago',
      happened: 'Todavía no tenemos una respuesta clara del banco.',
      next: 'Por favor, no pague otra vez. Esta página se actualiza sola y puede cerrarla con tranquilidad.',
    },
    paid: {
      title: 'Pagado',
      happened: '¡Gracias! Su pago ha llegado.',
      next: '{merchant} ya lo sabe. Puede cerrar esta página.',
    },
    overpaid: {
      title: 'Pagado, y de más',
      happened: '¡Gracias! Hemos recibido {received}; el pedido era de {amount}.',
      next: '{merchant} ya sabe de la diferencia. Póngase en contacto con la tienda para que se la devuelva.',
    },
    underpaid: {
      title: 'Falta una parte del importe',
      happened: 'Hemos recibido {received} de {amount}. ¡Gracias!',
      next: 'Pague los {due} restantes para completar el pedido.',
    },
    paid_late: {
      title: 'Su dinero ha llegado',
      happened: 'Hemos recibido su pago, pero este pedido ya está cerrado.',
      next: '{merchant} ya lo sabe. Por favor, no pague otra vez y consulte con la tienda cómo continuar.',
    },
    declined: {
      title: 'El pago no se ha podido realizar',
      happened: 'No se ha cobrado nada.',
      next: 'Puede intentarlo de nuevo o pagar desde otra cuenta.',
    },
    failed: {
      title: 'El pago no se ha podido realizar',
      happened: 'No se ha cobrado nada y este pedido ya no admite más intentos.',
      next: 'Haga un nuevo pedido en {merchant} o pida ayuda a la tienda.',
    },
    cancelled: {
      title: 'Pedido cancelado',
      happened: 'Este pedido se ha cancelado. No se ha cobrado nada.',
      next: 'Si todavía quiere comprar, haga un nuevo pedido en {merchant}.',
    },
    expired: {
      title: 'El plazo para pagar ha terminado',
      happened: 'Este pedido no se pagó a tiempo. No se ha cobrado nada.',
      next: 'Si todavía quiere comprar, haga un nuevo pedido en {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'La cuenta no tiene saldo suficiente para este pago.',
    limit_exceeded: 'El pago supera el límite de la cuenta.',
    account_blocked: 'La cuenta o la tarjeta está bloqueada.',
    authentication_failed: 'No se ha podido confirmar el pago.',
    cancelled_by_payer: 'El pago se canceló en el banco.',
    timeout: 'El banco no respondió a tiempo.',
    declined: 'El banco ha rechazado el pago.',
  },
  pages: {
    not_found: {
      title: 'Página no encontrada',
      text: 'No hay ninguna página de pago en esta dirección. Revise el enlace o ábralo de nuevo desde la tienda.',
    },
    unavailable: {
      title: 'Inténtelo de nuevo en un momento',
      text: 'La página de pago no se puede mostrar ahora. Si ya ha pagado, por favor no pague otra vez.',
    },
    too_many_requests: {
      title: 'Un momento, por favor',
      text: 'Su conexión ha enviado demasiadas solicitudes. Espere un minuto y vuelva a cargar la página.',
    },
  },
};
