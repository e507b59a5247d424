/**
 * What happened in the document since `start_watching`. With `tells` and while it is not quiet, it signals when it is.
 * With `ended`, something that the action started has just ended, so what it brings may yet come. With `anew`, it
 * signals the next sign of a reaction too.
 * @param {Document | Element} _ @param {{tells: boolean, ended: boolean, anew: boolean}} options @param {Lib} lib
 */
export default (_, { tells, ended, anew }, lib) => lib.actionWatch.look(tells, ended, anew);
